// The candidate works on a stage: the bar with state and clock, and the view below it.
import { useEffect } from 'preact/hooks'
import { isAnswered } from '../answers.ts'
import { go, parse, toQuestion, view, type View } from '../route.ts'
import { entries } from '../saver.ts'
import { kept, stage, taking } from '../session.ts'
import { Clock, Outcome } from './clock.tsx'
import { Confirm } from './confirm.tsx'
import { Overview } from './overview.tsx'
import { Brand } from './page.tsx'
import { Notices } from './notices.tsx'
import { QuestionView } from './question.tsx'
import { SaveStatus } from './save_status.tsx'
import { StageNotice } from './stage_notice.tsx'

export function Work() {
  const shown = view.value
  const isElsewhere = !isHere(shown)
  const { organization, assessment } = taking.value!
  const total = stage.value!.questions.length
  useEffect(() => {
    if (isElsewhere) go(lastView(), { replace: true })
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
      <Notices />
      <Outcome />
      <StageNotice />
      {shown.name === 'overview' ? <Overview />
        : shown.name === 'confirm' ? <Confirm />
        : shown.name === 'question' && !isElsewhere ? <QuestionView number={shown.number} />
        : null}
    </>
  )
}

function isHere(to: View): boolean {
  if (to.name === 'question') return to.number <= stage.value!.questions.length
  return ['overview', 'confirm', 'all'].includes(to.name)
}

// lastView is the view that this browser showed last, or the first question without an answer.
function lastView(): View {
  const { id, questions } = stage.value!
  const at = kept.value!.at
  const last = at?.stage === id && parse(at.fragment)
  if (last && isHere(last)) return last
  const open = questions.findIndex((question) => !isAnswered(entries.value.get(question.id)?.answer))
  return toQuestion(Math.max(0, open) + 1)
}
