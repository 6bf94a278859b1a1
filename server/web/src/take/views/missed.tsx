// The answers that did not reach the server before their stage ended.
import { text } from '../../shared/i18n.tsx'
import { missed, type Missed } from '../session.ts'

export function MissedAnswers() {
  if (missed.value.length === 0) return null
  return (
    <section class="note">
      <h2>{text('missed.title', { count: missed.value.length })}</h2>
      <p>{text('missed.text')}</p>
      <ul>
        {missed.value.map((one) => (
          <li key={one.entry.question}>
            {text('missed.answer', { stage: one.stage.order, number: numberOf(one), answer: inWords(one) })}
          </li>
        ))}
      </ul>
    </section>
  )
}

const numberOf = ({ stage, question }: Missed) => stage.questions.indexOf(question) + 1

function inWords({ question, entry: { answer, typed } }: Missed): string {
  const chosen = answer?.optionIds ?? (answer?.optionId === undefined ? [] : [answer.optionId])
  const options = (question.options ?? []).filter(({ id }) => chosen.includes(id)).map((option) => option.text)
  return typed ?? answer?.text ?? answer?.number?.toString() ?? (options.join('; ') || text('missed.cleared'))
}
