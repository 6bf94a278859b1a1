// The candidate works on a stage: the bar with state and clock, and the view below it.
import { useEffect } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { second } from '../clock.ts'
import { go, toQuestion, view } from '../route.ts'
import { deadline, stage, timeIsUp } from '../session.ts'
import { Confirm } from './confirm.tsx'
import { Overview } from './overview.tsx'
import { Brand } from './page.tsx'
import { QuestionView } from './question.tsx'
import { SaveStatus } from './save_status.tsx'

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
      {shown.name === 'overview' ? <Overview />
        : shown.name === 'confirm' ? <Confirm />
        : shown.name === 'question' && !isElsewhere ? <QuestionView number={shown.number} />
        : null}
    </>
  )
}

function Clock() {
  const end = deadline.value
  const left = end === undefined ? undefined : Math.max(0, Math.ceil(end / 1000 - second.value))
  useEffect(() => {
    if (left === 0) void timeIsUp()
  }, [left === 0])
  if (left === undefined) return null
  return <span class="clock" role="timer">{Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}</span>
}
