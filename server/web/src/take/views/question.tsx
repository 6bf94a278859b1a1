// One question with its field.
import { useComputed } from '@preact/signals'
import { announce } from '../../shared/announce.ts'
import { Icon } from '../../shared/icons.tsx'
import { rich, text } from '../../shared/i18n.tsx'
import type { Question } from '../answers.ts'
import { go, toQuestion } from '../route.ts'
import { entries, saver } from '../saving.ts'
import { kept, locked, remember, stage, taking } from '../session.ts'
import { isFlagged } from '../states.ts'
import { readOnly } from '../tabs.ts'
import { Conflict } from './conflict.tsx'
import { Field, type Change } from './fields.tsx'
import { QuestionMap } from './map.tsx'
import { Actions, Heading, Theirs } from './page.tsx'
import { QuestionStatus } from './save_status.tsx'

/** How long after the last key the page saves text, in milliseconds. */
const textDelay = 800

export function QuestionView({ number }: { number: number }) {
  const { order, title, questions } = stage.value!
  const question = questions[number - 1]!
  const isLast = number === questions.length
  return (
    <>
      <div class="desk">
        <main class="page">
          <div class="eyebrow">
            <span>
              {rich(
                'question.stage',
                { title: <Theirs>{title}</Theirs> },
                { number: order, total: taking.value!.stages.length },
              )}
            </span>
            <Heading id={question.id}>{text('question.number', { number, total: questions.length })}</Heading>
            <span>{text('points', { count: question.points })}</span>
          </div>
          <QuestionBody key={question.id} question={question} />
        </main>
        <QuestionMap />
      </div>
      <Actions>
        {number > 1 && (
          <button type="button" class="button" onClick={() => go(toQuestion(number - 1))}>
            {text('question.back')}
          </button>
        )}
        <span class="grow" />
        <button
          type="button"
          class={`button ${isLast ? 'primary' : 'quiet'}`}
          onClick={() => go({ name: 'overview' })}
        >
          {text('question.overview')}
        </button>
        {!isLast && (
          <button type="button" class="button primary" onClick={() => go(toQuestion(number + 1))}>
            {text('question.next')}
          </button>
        )}
      </Actions>
    </>
  )
}

/** QuestionBody is the prompt and the field of a question, with the actions of the question below. */
export function QuestionBody({ question }: { question: Question }) {
  const entry = useComputed(() => entries.value.get(question.id)).value
  const flagged = useComputed(() => isFlagged(question)).value
  const isLocked = locked.value || readOnly.value
  const change = ({ answer, typed }: Change) => {
    if (answer === undefined) saver.keepTyped(question.id, typed ?? '')
    else saver.edit(question.id, answer, question.options ? 0 : textDelay, typed)
  }
  const isEmpty = !entry?.answer && entry?.typed === undefined
  const clear = () => {
    if (isEmpty || isLocked) return
    saver.edit(question.id, null, 0)
    announce(text('question.cleared'))
  }
  const toggleFlag = () => {
    const others = kept.value!.flagged.filter((id) => id !== question.id)
    remember({ flagged: flagged ? others : [...others, question.id] })
    announce(text(flagged ? 'question.unflagged' : 'state.flagged'))
  }
  return (
    <>
      <Conflict question={question} />
      <Field
        question={question}
        value={{ answer: entry?.answer ?? null, typed: entry?.typed }}
        onChange={change}
        disabled={isLocked}
      />
      <p class="under">
        <button
          type="button"
          class={`button quiet small${flagged ? ' is-flagged' : ''}`}
          onClick={toggleFlag}
        >
          <Icon name="flag" />
          {text(flagged ? 'question.unflag' : 'question.flag')}
        </button>
        <button type="button" class="button quiet small" aria-disabled={isEmpty || isLocked} onClick={clear}>
          {text('question.clear')}
        </button>
        <QuestionStatus question={question} />
      </p>
    </>
  )
}
