// The answers that did not reach the server before their stage ended.
import { rich, text } from '../../shared/i18n.tsx'
import { notArrived } from '../missed.ts'
import { Note } from './page.tsx'

export function MissedAnswers() {
  const all = notArrived.value
  if (all.length === 0) return null
  return (
    <Note icon="warning" kind="warn">
      <h2>{text('missed.title', { count: all.length })}</h2>
      <p>{text('missed.text')}</p>
      <ul>
        {all.map(({ stage, question, answer }) => (
          <li key={`${stage}.${question}`}>
            {rich('missed.answer', { answer: answer || <>{text('missed.cleared')}</> }, { stage, number: question })}
          </li>
        ))}
      </ul>
    </Note>
  )
}
