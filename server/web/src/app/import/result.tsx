// What was understood of a text, and what was not.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { number, quantity } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import type { ImportFault, Imported, QuestionInput } from './draft.ts'
import type { Kind } from './source.ts'

/** More questions make the page long. The editor shows all of them. */
const shownQuestions = 8
const shownFaults = 50

export function Understood({ imported, kind }: { imported: Imported; kind: Kind }) {
  const [isAll, setAll] = useState(false)
  const stages = imported.draft.stages!
  const questions = stages.flatMap((stage) =>
    stage.questions!.map((question, i) => ({ question, stage, isFirst: i === 0 })),
  )
  const shown = isAll ? questions : questions.slice(0, shownQuestions)
  return (
    <section class="list import-questions" aria-labelledby="import-understood">
      <header>
        <h2 id="import-understood">{text('import.understood', { count: questions.length })}</h2>
        <p class="muted small">
          {text(`import.kind.${kind}`)}
          {stages.length > 1 && ` · ${text('import.stages', { count: stages.length })}`}
          {questions.length > 0 && ` · ${countsOf(questions.map(({ question }) => question))}`}
        </p>
      </header>
      {shown.length > 0 && (
        <ol>
          {shown.map(({ question, stage, isFirst }, i) => (
            <li key={i}>
              {isFirst && stages.length > 1 && <p class="import-stage small">{stage.title}</p>}
              <Question question={question} />
            </li>
          ))}
        </ol>
      )}
      {questions.length > shown.length && (
        <button type="button" class="button quiet small" onClick={() => setAll(true)}>
          {text('import.showAll', { count: questions.length })}
        </button>
      )}
    </section>
  )
}

const kinds = ['SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'NUMERIC', 'SHORT_TEXT', 'FREE_TEXT'] as const

function countsOf(questions: QuestionInput[]): string {
  return kinds
    .map((type) => ({ type, count: questions.filter((question) => question.type === type).length }))
    .filter(({ count }) => count > 0)
    .map(({ type, count }) => `${text(`import.type.${type}`)}: ${number(count)}`)
    .join(', ')
}

function Question({ question }: { question: QuestionInput }) {
  const { prompt, points, explanation } = question
  return (
    <>
      <p class="import-prompt">{prompt}</p>
      <Key question={question} />
      <p class="muted small">
        {text(`import.type.${question.type}`)} · {text('import.points', { count: points })}
        {explanation && ` · ${text('import.explained')}`}
      </p>
    </>
  )
}

/** The options with the correct ones marked, or the answer. */
function Key({ question }: { question: QuestionInput }) {
  if (question.type === 'FREE_TEXT') return <p class="muted small">{text('import.graded')}</p>
  if (question.type === 'NUMERIC') {
    const { answer, tolerance } = question
    if (answer === null || answer === undefined) return <p class="error">{text('import.noKey')}</p>
    return (
      <p class="import-answer">
        <Icon name="check" />
        {quantity(answer)}
        {tolerance ? ` ± ${quantity(tolerance)}` : ''}
      </p>
    )
  }
  if (question.type === 'SHORT_TEXT') {
    const answers = question.acceptedAnswers ?? []
    if (answers.length === 0) return <p class="error">{text('import.noKey')}</p>
    return (
      <p class="import-answer">
        <Icon name="check" />
        {answers.join(' | ')}
      </p>
    )
  }
  const correct = question.type === 'MULTIPLE_CHOICE' ? (question.correctOptionIds ?? []) : [question.correctOptionId]
  return (
    <>
      <ul class="import-options">
        {question.options?.map(({ id, text: option }) => (
          <li key={id} class={correct.includes(id) ? 'correct' : undefined}>
            {correct.includes(id) && <Icon name="check" />}
            <span>
              {option}
              {correct.includes(id) && <span class="unseen"> {text('import.correct')}</span>}
            </span>
          </li>
        ))}
      </ul>
      {!correct.some(Boolean) && <p class="error small">{text('import.noKey')}</p>}
    </>
  )
}

export function Report({ faults }: { faults: ImportFault[] }) {
  if (faults.length === 0) return null
  const caption = text('import.faults', { count: faults.length })
  return (
    <section class="list import-faults">
      <header>
        <h2>
          <Icon name="warning" />
          {caption}
        </h2>
        <p class="muted small">{text('import.faults.text')}</p>
      </header>
      <div class="table-box" tabIndex={0} role="region" aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              <th class="num">{text('import.fault.line')}</th>
              <th>{text('import.fault.text')}</th>
              <th>{text('import.fault.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {faults.slice(0, shownFaults).map(({ line, text: about, reason }, i) => (
              <tr key={i}>
                <td class="num">{number(line)}</td>
                <td class="import-about">{about}</td>
                <td>{text(`import.reason.${reason}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {faults.length > shownFaults && (
        <p class="muted small import-rest">{text('import.faults.rest', { count: faults.length - shownFaults })}</p>
      )}
    </section>
  )
}
