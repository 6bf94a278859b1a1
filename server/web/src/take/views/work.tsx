// The candidate works on a stage: the bar with state and clock, and the view below it.
import { useEffect } from 'preact/hooks'
import { go, toQuestion, view } from '../route.ts'
import { stage, taking } from '../session.ts'
import { Clock, Outcome } from './clock.tsx'
import { Confirm } from './confirm.tsx'
import { Overview } from './overview.tsx'
import { Brand } from './page.tsx'
import { QuestionView } from './question.tsx'
import { SaveStatus } from './save_status.tsx'
import { StageNotice } from './stage_notice.tsx'

export function Work() {
  const shown = view.value
  const { organization, assessment } = taking.value!
  const total = stage.value!.questions.length
  const isElsewhere = !['overview', 'confirm', 'all'].includes(shown.name) && !(shown.name === 'question' && shown.number <= total)
  useEffect(() => {
    if (isElsewhere) go(toQuestion(1), { replace: true })
  }, [isElsewhere])
  return (
    <>
      <header class="bar">
        <Brand />
        <span class="who">{organization.name} <span class="muted">· {assessment.title}</span></span>
        <SaveStatus />
        <Clock />
      </header>
      <progress class="progress" max={total} value={shown.name === 'question' ? shown.number : total} aria-hidden="true" />
      <Outcome />
      <StageNotice />
      {shown.name === 'overview' ? <Overview />
        : shown.name === 'confirm' ? <Confirm />
        : shown.name === 'question' && !isElsewhere ? <QuestionView number={shown.number} />
        : null}
    </>
  )
}
