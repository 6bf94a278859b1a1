// The candidate works on a stage: the bar with state and clock, and the view below it.
import { useEffect } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { second } from '../clock.ts'
import { isAnswered } from '../answers.ts'
import { go, parse, toQuestion, view, type View } from '../route.ts'
import { entries } from '../saver.ts'
import { deadline, kept, stage, timeIsUp } from '../session.ts'
import { Confirm } from './confirm.tsx'
import { Overview } from './overview.tsx'
import { Brand } from './page.tsx'
import { Notices } from './notices.tsx'
import { QuestionView } from './question.tsx'
import { SaveStatus } from './save_status.tsx'

export function Work() {
  const shown = view.value
  const isElsewhere = !isHere(shown)
  useEffect(() => {
    if (isElsewhere) go(lastView(), { replace: true })
  }, [isElsewhere])
  return (
    <>
      <header class="bar">
        <Brand />
        <span class="grow" />
        <SaveStatus />
        <Clock />
      </header>
      <Notices />
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

function Clock() {
  const end = deadline.value
  const left = end === undefined ? undefined : Math.max(0, Math.ceil(end / 1000 - second.value))
  useEffect(() => {
    if (left === 0) void timeIsUp()
  }, [left === 0])
  if (left === undefined) return null
  return <span class="clock" role="timer">{Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}</span>
}
