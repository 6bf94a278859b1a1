// What concerns the whole stage, above each of its views.
import type { ComponentChildren } from 'preact'
import { rich, text, type Key } from '../../shared/i18n.tsx'
import { saveCopy } from '../copy.ts'
import { blocked, entries } from '../saving.ts'
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
      {!readOnly.value && <Blocked />}
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
  const ids = stage.value!.questions.flatMap(({ id }) => (entries.value.get(id)?.conflict ? [id] : []))
  return <About about="conflict.notice" ids={ids} />
}

/** Blocked names the answers that do not reach the server, and what the candidate can do. */
function Blocked() {
  return (
    <div role="status">
      <About about="blocked.notice" ids={blocked.value}>
        <p>
          <button type="button" class="button" onClick={saveCopy}>
            {text('offline.copy')}
          </button>
        </p>
      </About>
    </div>
  )
}

/** About is a notice about some questions, with links to them. */
function About({ about, ids, children }: { about: Key; ids: string[]; children?: ComponentChildren }) {
  const { questions } = stage.value!
  if (ids.length === 0) return null
  const numbers = questions.flatMap(({ id }, i) => (ids.includes(id) ? [i + 1] : []))
  const links = numbers.map((number, i) => (
    <>
      {i > 0 && ', '}
      <QuestionLink number={number}>{text('question.number', { number, total: questions.length })}</QuestionLink>
    </>
  ))
  return (
    <div class="notice warn">
      <p>{rich(about, { questions: links }, { count: ids.length })}</p>
      {children}
    </div>
  )
}
