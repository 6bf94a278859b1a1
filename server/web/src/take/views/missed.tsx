// The answers that did not reach the server before their stage ended.
import { text } from '../../shared/i18n.tsx'
import { missed } from '../session.ts'

export function MissedAnswers() {
  if (missed.value.length === 0) return null
  return (
    <section class="note warn">
      <h2>{text('missed.title', { count: missed.value.length })}</h2>
      <p>{text('missed.text')}</p>
      <ul>
        {missed.value.map(({ stage, question, answer }) => (
          <li key={`${stage}.${question}`}>
            {text('missed.answer', { stage, number: question, answer: answer || text('missed.cleared') })}
          </li>
        ))}
      </ul>
    </section>
  )
}
