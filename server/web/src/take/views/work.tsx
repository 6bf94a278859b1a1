// The candidate works on a stage: the bar with state and clock, and the view below it.
import { useLayoutEffect } from 'preact/hooks'
import { Verbatim } from '../../shared/i18n.tsx'
import { go, toQuestion, view } from '../route.ts'
import { kept, notice, remember, stage, taking } from '../session.ts'
import { AllQuestions } from './all.tsx'
import { Clock } from './clock.tsx'
import { Confirm } from './confirm.tsx'
import { Notices } from './notices.tsx'
import { Overview } from './overview.tsx'
import { Brand, Theirs } from './page.tsx'
import { QuestionView } from './question.tsx'
import { SaveStatus } from './save_status.tsx'
import { StageNotice, Stop } from './stage_notice.tsx'

export function Work() {
  const shown = view.value
  const { organization, assessment } = taking.value!
  const total = stage.value!.questions.length
  const number = shown.name === 'question' ? Math.min(shown.number, total) : 1
  useLayoutEffect(() => {
    if (shown.name === 'all') remember({ allOnOnePage: true })
    else if (shown.name === 'start' || shown.name === 'practice') go(toQuestion(1), { replace: true })
    else if (shown.name === 'question' && shown.number > total) go(toQuestion(total), { replace: true })
  }, [shown])
  const isStopped = notice.value?.reason === 'timeUp'
  return (
    <>
      <header class="bar">
        <Brand />
        <span class="who">
          <Verbatim>{organization.name}</Verbatim>{' '}
          <span class="muted">
            · <Theirs>{assessment.title}</Theirs>
          </span>
        </span>
        <SaveStatus />
        <Clock />
      </header>
      <progress class="progress" max={total} value={shown.name === 'question' ? number : total} aria-hidden="true" />
      <Notices />
      {!isStopped && <StageNotice />}
      {isStopped ? (
        <Stop />
      ) : shown.name === 'overview' ? (
        <Overview />
      ) : shown.name === 'confirm' ? (
        <Confirm />
      ) : shown.name === 'all' || kept.value!.allOnOnePage ? (
        <AllQuestions number={shown.name === 'all' ? undefined : number} />
      ) : (
        <QuestionView number={number} />
      )}
    </>
  )
}
