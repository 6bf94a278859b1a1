// What was understood of a source, and everything that was not.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { hasText } from '../core/faults.ts'
import { Icon, type IconName } from '../core/icons.tsx'
import { useAddress } from '../core/url.ts'
import { memo } from '../editor/memo.ts'
import type { Imported, Item, Note, Question } from './contract.ts'
import { countsOf, isImported, noteText, severityOf, type Severity } from './notes.ts'
import { Place, type Context } from './place.tsx'
import { QuestionView, typeText } from './question.tsx'

/** formatText is the name of a format. */
export function formatText(format: string): string {
  const key = `import.format.${format}`
  return hasText(key) ? text(key) : format
}

const icons: Record<Severity, IconName> = {
  NOT_IMPORTED: 'close',
  INCOMPLETE: 'warning',
  CHANGED: 'edit',
  INFO: 'info',
}

const tags: Record<Severity, string> = { NOT_IMPORTED: 'bad', INCOMPLETE: 'warn', CHANGED: 'info', INFO: '' }

/** Summary says how many questions there are, and how many notes. */
export function Summary({ imported }: { imported: Imported }) {
  const { stages, report } = imported
  const count = stages.reduce((sum, stage) => sum + stage.questions.length, 0)
  const counts = countsOf(report)
  return (
    <header class="import-summary">
      <div role="status">
        <h2>{text('import.understood', { count })}</h2>
        <p class="muted small">
          {text('import.readAs', { format: formatText(report.format) })}
          {stages.length > 1 && ` · ${text('import.stages', { count: stages.length })}`}
        </p>
      </div>
      {counts.length > 0 && (
        <ul class="import-counts" aria-label={text('import.notes')}>
          {counts.map(({ severity, count }) => (
            <li key={severity} class={`tag ${tags[severity]}`}>
              <Icon name={icons[severity]} />
              {text(`import.count.${severity}`, { count })}
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}

/** General lists the notes that belong to no question. */
export function General({ notes, context }: { notes: Note[]; context: Context }) {
  if (notes.length === 0) return null
  return (
    <section class="list import-general" aria-labelledby="import-general">
      <header>
        <h2 id="import-general">{text('import.general')}</h2>
      </header>
      <Notes notes={notes} context={context} />
    </section>
  )
}

interface NotesProps {
  notes: Note[]
  /** The first line of the question, which its notes need not repeat. */
  line?: number | null
  context: Context
}

function Notes({ notes, line, context }: NotesProps) {
  return (
    <ul class="import-notes small">
      {notes.map((note, i) => (
        <li key={i} class={severityOf(note).toLowerCase()}>
          <Icon name={icons[severityOf(note)]} />
          <span>
            {note.line !== null && note.line !== line && (
              <>
                <Place {...context} line={note.line} />
                {' · '}
              </>
            )}
            {noteText(note)}
            {note.text && (
              <>
                {' '}
                <code>{note.text}</code>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface Shown {
  item: Item
  question: Question | undefined
  /** The title of the stage, if the question above it is in another one. */
  stage: string | undefined
}

/** Questions lists the questions in the order of the source, also those that are not imported. */
export function Questions({ imported, context }: { imported: Imported; context: Context }) {
  const { query, change } = useAddress()
  const isFiltered = query.notes === '1'
  const shown = useShown(imported)
  const noted = shown.filter(({ item }) => item.notes.length > 0)
  const listed = isFiltered ? noted : shown
  if (shown.length === 0) return null
  return (
    <section class="list import-questions" aria-labelledby="import-questions">
      <header>
        <h2 id="import-questions">{text('import.questions')}</h2>
        <label class="tick">
          <input
            type="checkbox"
            checked={isFiltered}
            onChange={(event) => change({ notes: event.currentTarget.checked ? '1' : undefined }, true)}
          />
          <span>{text('import.onlyNotes', { count: noted.length })}</span>
        </label>
      </header>
      {listed.length === 0 && <p class="muted import-rest">{text('import.noNotes')}</p>}
      <ol>
        {groupsOf(listed).map((group, i) => (
          <Group key={i} rows={group} index={i} context={context} />
        ))}
      </ol>
    </section>
  )
}

/** How many questions are shown in one task. More would delay the next key. */
const groupSize = 20

function groupsOf(rows: Shown[]): Shown[][] {
  return Array.from({ length: Math.ceil(rows.length / groupSize) }, (_, i) =>
    rows.slice(i * groupSize, (i + 1) * groupSize),
  )
}

/** Group shows some rows, each group a little later than the one above it. Until then, it has its last rows. */
function Group({ rows, index, context }: { rows: Shown[]; index: number; context: Context }) {
  const [shown, setShown] = useState(index === 0 ? { rows, context } : undefined)
  useEffect(() => {
    const timer = setTimeout(() => setShown({ rows, context }), index * 16)
    return () => clearTimeout(timer)
  }, [rows, context])
  return (
    <>
      {shown?.rows.map((row, i) => (
        <Row key={i} {...row} context={shown.context} />
      ))}
    </>
  )
}

const Row = memo(({ item, question, stage, context }: Shown & { context: Context }) => {
  const { line, lastLine, itemId, excerpt, notes } = item
  const show = line !== null && context.show
  return (
    <li
      class={question ? undefined : 'import-missing'}
      // For the mouse. The button in it is for everybody.
      onClick={() => show && getSelection()?.isCollapsed && show({ line, lastLine: lastLine ?? line })}
    >
      {stage && <h3 class="import-stage">{stage}</h3>}
      <p class="muted small import-about">
        <Place {...context} {...{ line, lastLine, itemId }} />
        <span>{question ? typeText(question.type) : text('import.missing')}</span>
        {question && <span>{text('import.points', { count: question.points })}</span>}
      </p>
      {question ? <QuestionView question={question} /> : <p class="import-prompt">{excerpt}</p>}
      {notes.length > 0 && <Notes notes={notes} line={line} context={context} />}
    </li>
  )
})

/** useShown joins the report with the draft. A question with the same content stays the same object. */
function useShown({ stages, report }: Imported): Shown[] {
  const known = useRef(new Map<string, Question>())
  return useMemo(() => {
    const next = new Map<string, Question>()
    const same = (question: Question) => {
      const content = JSON.stringify({ ...question, order: 0 })
      const kept = next.get(content) ?? known.current.get(content) ?? question
      next.set(content, kept)
      return kept
    }
    let above: number | null = null
    const shown = report.questions.map((item): Shown => {
      const stage = isImported(item) ? stages.find(({ order }) => order === item.stageOrder) : undefined
      const found = stage?.questions.find(({ order }) => order === item.questionOrder)
      const isOther = stages.length > 1 && stage !== undefined && stage.order !== above
      if (stage) above = stage.order
      return { item, question: found && same(found), stage: isOther ? stage.title : undefined }
    })
    known.current = next
    return shown
  }, [stages, report])
}
