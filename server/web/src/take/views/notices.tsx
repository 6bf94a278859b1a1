// What concerns the whole stage, above each of its views.
import { rich, text } from '../../shared/i18n.tsx'
import { entries } from '../saver.ts'
import { stage, takeOver } from '../session.ts'
import { readOnly } from '../tabs.ts'
import { Offline } from './offline.tsx'
import { Action, QuestionLink } from './page.tsx'

/** Notices are the notices of a stage: read-only, offline, and answers of two devices. */
export function Notices() {
  return (
    <aside class="notices">
      <div role="alert">{readOnly.value ? <ReadOnly /> : <Conflicts />}</div>
      {!readOnly.value && <Offline />}
    </aside>
  )
}

function ReadOnly() {
  return (
    <div class="notice warn">
      <h2>{text('readOnly.title')}</h2>
      <p>{text('readOnly.text')}</p>
      <p>
        <Action label={text('readOnly.take')} act={() => void takeOver()} />
      </p>
    </div>
  )
}

function Conflicts() {
  const { questions } = stage.value!
  const numbers = questions.flatMap(({ id }, i) => (entries.value.get(id)?.conflict ? [i + 1] : []))
  if (numbers.length === 0) return null
  const links = numbers.map((number, i) => (
    <>
      {i > 0 && ', '}
      <QuestionLink number={number}>{text('question.number', { number, total: questions.length })}</QuestionLink>
    </>
  ))
  return (
    <div class="notice warn">
      <p>{rich('conflict.notice', { questions: links }, { count: numbers.length })}</p>
    </div>
  )
}
