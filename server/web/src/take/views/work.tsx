// The candidate works on a stage: the bar with state and clock, and the view below it.
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { second } from '../clock.ts'
import { go, leaving, toQuestion, view } from '../route.ts'
import { deadline, kept, remember, stage, timeIsUp } from '../session.ts'
import { AllQuestions } from './all.tsx'
import { Confirm } from './confirm.tsx'
import { Leave } from './leave.tsx'
import { Overview } from './overview.tsx'
import { Brand } from './page.tsx'
import { QuestionView } from './question.tsx'
import { SaveStatus } from './save_status.tsx'

export function Work() {
  const shown = view.value
  const total = stage.value!.questions.length
  const number = shown.name === 'question' ? Math.min(shown.number, total) : 1
  useLayoutEffect(() => {
    if (shown.name === 'all') remember({ allOnOnePage: true })
    else if (shown.name === 'start' || shown.name === 'practice') go(toQuestion(1), { replace: true })
    else if (shown.name === 'question' && shown.number > total) go(toQuestion(total), { replace: true })
  }, [shown])
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
        : shown.name === 'all' || kept.value!.allOnOnePage ? <AllQuestions number={shown.name === 'all' ? undefined : number} />
        : <QuestionView number={number} />}
      {leaving.value && <Leave />}
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
