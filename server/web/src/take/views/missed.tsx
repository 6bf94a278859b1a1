// The answers that did not reach the server before their stage ended.
import { text } from '../../shared/i18n.tsx'
import { missed } from '../session.ts'
import { Note } from './page.tsx'

export function MissedAnswers() {
  if (missed.value.length === 0) return null
  return (
    <Note icon="warning" kind="warn">
      <h2>{text('missed.title', { count: missed.value.length })}</h2>
      <p>{text('missed.text')}</p>
      <ul>
        {missed.value.map(({ stage, question, answer }) => (
          <li key={`${stage}.${question}`}>
            {text('missed.answer', { stage, number: question, answer: answer || text('missed.cleared') })}
          </li>
        ))}
      </ul>
    </Note>
  )
}
