// The candidate works on a stage: the bar with state and clock, and the view below it.
import { useEffect } from 'preact/hooks'
import { go, toQuestion, view } from '../route.ts'
import { stage } from '../session.ts'
import { Clock } from './clock.tsx'
import { Confirm } from './confirm.tsx'
import { Overview } from './overview.tsx'
import { Brand } from './page.tsx'
import { QuestionView } from './question.tsx'
import { SaveStatus } from './save_status.tsx'
import { StageNotice } from './stage_notice.tsx'

export function Work() {
  const shown = view.value
  const total = stage.value!.questions.length
  const isElsewhere = !['overview', 'confirm', 'all'].includes(shown.name) && !(shown.name === 'question' && shown.number <= total)
  useEffect(() => {
    if (isElsewhere) go(toQuestion(1), { replace: true })
  }, [isElsewhere])
  return (
    <>
      <header class="bar">
        <Brand />
        <span class="grow" />
        <SaveStatus />
        <Clock />
      </header>
      <StageNotice />
      {shown.name === 'overview' ? <Overview />
        : shown.name === 'confirm' ? <Confirm />
        : shown.name === 'question' && !isElsewhere ? <QuestionView number={shown.number} />
        : null}
    </>
  )
}
