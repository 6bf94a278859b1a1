// One question with its field.
import { useComputed } from '@preact/signals'
import { text } from '../../shared/i18n.tsx'
import type { Question } from '../answers.ts'
import { go, toQuestion } from '../route.ts'
import { edit, entries, keepTyped } from '../saver.ts'
import { kept, locked, remember, stage, taking } from '../session.ts'
import { readOnly } from '../tabs.ts'
import { Conflict } from './conflict.tsx'
import { Field, type Change } from './fields.tsx'
import { Actions, Heading } from './page.tsx'
import { QuestionStatus } from './save_status.tsx'

/** How long after the last key the page saves text, in milliseconds. */
const textDelay = 800

export function QuestionView({ number }: { number: number }) {
  const { order, title, questions } = stage.value!
  const question = questions[number - 1]!
  const isFlagged = kept.value!.flagged.includes(question.id)
  const toggleFlag = () => {
    const others = kept.value!.flagged.filter((id) => id !== question.id)
    remember({ flagged: isFlagged ? others : [...others, question.id] })
  }
  return (
    <>
      <main class="page">
        <div class="eyebrow">
          <span>{text('question.stage', { number: order, total: taking.value!.stages.length, title })}</span>
          <Heading id={question.id}>{text('question.number', { number, total: questions.length })}</Heading>
          <span>{text('points', { count: question.points })}</span>
        </div>
        <Conflict question={question} />
        <QuestionField key={question.id} question={question} />
        <QuestionStatus question={question.id} />
        <p class="under">
          <button type="button" class="button quiet small" aria-pressed={isFlagged} onClick={toggleFlag}>
            {isFlagged ? text('question.unflag') : text('question.flag')}
          </button>
          <button type="button" class="button quiet small" onClick={() => edit(question.id, null, 0)}>{text('question.clear')}</button>
        </p>
      </main>
      <Actions>
        {number > 1 && <button type="button" class="button" onClick={() => go(toQuestion(number - 1))}>{text('question.back')}</button>}
        <span class="grow" />
        <button type="button" class="button quiet" onClick={() => go({ name: 'overview' })}>{text('question.overview')}</button>
        <button type="button" class="button primary"
          onClick={() => go(number < questions.length ? toQuestion(number + 1) : { name: 'overview' })}>
          {text('question.next')}
        </button>
      </Actions>
    </>
  )
}

/** QuestionField is the field of a question, whose changes are saved. */
export function QuestionField({ question }: { question: Question }) {
  const entry = useComputed(() => entries.value.get(question.id)).value
  const change = ({ answer, typed }: Change) => {
    if (answer === undefined) return keepTyped(question.id, typed ?? '')
    const isChoice = question.options != null
    edit(question.id, answer, isChoice ? 0 : textDelay, typed)
  }
  return (
    <Field question={question} value={{ answer: entry?.answer ?? null, typed: entry?.typed }} onChange={change}
      disabled={locked.value || readOnly.value} />
  )
}
