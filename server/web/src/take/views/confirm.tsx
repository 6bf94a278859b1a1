// The question before a stage is handed in.
import { useEffect } from 'preact/hooks'
import { rich, text, type Key } from '../../shared/i18n.tsx'
import { isAnswered, isInvalid, type Question } from '../answers.ts'
import { duration, limit } from '../durations.ts'
import { cancel, conflicts, handing, submit } from '../handing_in.ts'
import { go } from '../route.ts'
import { blocked, entries, unsent } from '../saving.ts'
import { kept, locked, stage, taking, unreachable } from '../session.ts'
import { sessionLeft } from '../time.ts'
import { ActionProblem, Actions, Heading, QuestionLink } from './page.tsx'

export function Confirm() {
  const { order, questions } = stage.value!
  const unanswered = questions.filter(({ id }) => !isAnswered(entries.value.get(id)?.answer))
  const flagged = questions.filter(({ id }) => kept.value!.flagged.includes(id))
  const stuck = questions.filter(({ id }) => blocked.value.includes(id))
  const unsaved = questions.filter(({ id }) => unsent.value.some((entry) => entry.question === id && !entry.blocked))
  const undecided = questions.filter(({ id }) => conflicts().some((entry) => entry.question === id))
  const invalid = questions.filter((question) => isInvalid(entries.value.get(question.id)?.typed, question))
  const isBlocked = undecided.length > 0 || handing.value !== undefined || locked.value
  useEffect(() => cancel, [])
  return (
    <>
      <main class="page">
        <Heading>{text('confirm.title', { number: order })}</Heading>
        {unanswered.length === 0 && <p>{text('confirm.complete', { count: questions.length })}</p>}
        <Questions about="confirm.unanswered" questions={unanswered} />
        <Questions about="confirm.flagged" questions={flagged} />
        {undecided.length > 0 ? (
          <Questions about="confirm.undecided" questions={undecided} />
        ) : (
          <Questions about="confirm.unsent" questions={unsaved} />
        )}
        <Questions about="confirm.blocked" questions={stuck} />
        <Questions about="confirm.invalid" questions={invalid} />
        <p>{text('confirm.final')}</p>
        <Next />
        <p role="status">{handing.value &&
            text(`confirm.${unreachable.value ? 'connection' : handing.value}`, { count: unsent.value.length })}</p>
        <ActionProblem />
      </main>
      <Actions>
        <button type="button" class="button" onClick={() => go({ name: 'overview' })}>
          {text('confirm.no')}
        </button>
        <span class="grow" />
        <button
          type="button"
          class="button primary"
          aria-disabled={isBlocked}
          onClick={() => !isBlocked && void submit()}
        >
          {text('confirm.yes')}
        </button>
      </Actions>
    </>
  )
}

/** Questions says something about questions and links to them. */
function Questions({ about, questions }: { about: Key; questions: Question[] }) {
  if (questions.length === 0) return null
  return (
    <section>
      <p>{text(about, { count: questions.length })}</p>
      <ul class="jump">
        {questions.map((question) => {
          const number = stage.value!.questions.indexOf(question) + 1
          return (
            <li key={question.id}>
              <QuestionLink class="button" number={number}>
                {text('confirm.question', { number })}
              </QuestionLink>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Next says what follows after the stage. */
function Next() {
  const { stages, organization, extraTimePercent } = taking.value!
  const { order } = stage.value!
  const next = stages[order]
  const [gate, ofTotal] = [stages[order - 1]?.gate, sessionLeft.value]
  const minutes = next?.timeLimitMinutes
  const parameters = next && {
    number: next.order,
    title: next.title,
    time: minutes ? limit(minutes, extraTimePercent) : '',
  }
  return (
    <>
      {gate?.required && (
        <p>
          {rich(`confirm.gate${!next ? '.last' : gate.onFail === 'REVIEW' ? '.review' : ''}`, {
            organization: organization.name,
          })}
        </p>
      )}
      <p>{next ? text(minutes ? 'confirm.next.limit' : 'confirm.next', parameters) : text('confirm.last')}</p>
      {next && ofTotal !== undefined && <p>{rich('confirm.total', { time: duration(ofTotal) })}</p>}
    </>
  )
}
