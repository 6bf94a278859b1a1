// What two editors have changed in different ways, side by side.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { number, quantity, score } from '../core/figures.ts'
import { dayAndTime } from '../core/formats.tsx'
import { Dialog } from '../core/dialogs.tsx'
import { hasText } from '../core/faults.ts'
import { whereText } from './fault_texts.ts'
import { gateText } from './gate.ts'
import type { Conflict, Side } from './merge.ts'
import type { Doc, Gate, Pool, Question, QuestionType, Stage } from './model.ts'
import { parsePlace } from './places.ts'
import { shown } from './shown.tsx'
import type { Editor } from './state.ts'

interface Props {
  editor: Editor
  conflicts: Conflict[]
  close(): void
}

export function ConflictDialog({ editor, conflicts, close }: Props) {
  const [chosen, setChosen] = useState<Record<string, Side>>({})
  const save = (choose: (place: string) => Side) => {
    close()
    void editor.resolve(choose)
  }
  return (
    <Dialog title={text('editor.conflict.title')} close={close} kind="wide">
      <p>{text('editor.conflict.text', { count: conflicts.length })}</p>
      <div class="editor-conflicts">
        {conflicts.map((conflict) => (
          <Difference
            key={conflict.place}
            editor={editor}
            conflict={conflict}
            side={chosen[conflict.place] ?? 'mine'}
            choose={(side) => setChosen({ ...chosen, [conflict.place]: side })}
          />
        ))}
      </div>
      <div class="go">
        <button type="button" class="button primary" onClick={() => save((place) => chosen[place] ?? 'mine')}>
          {text('editor.conflict.save')}
        </button>
        <button type="button" class="button" onClick={() => save(() => 'mine')}>
          {text('editor.conflict.mine')}
        </button>
        <button type="button" class="button" onClick={() => save(() => 'theirs')}>
          {text('editor.conflict.theirs')}
        </button>
      </div>
    </Dialog>
  )
}

interface DifferenceProps {
  editor: Editor
  conflict: Conflict
  side: Side
  choose(side: Side): void
}

function Difference({ editor, conflict, side, choose }: DifferenceProps) {
  const { place } = conflict
  const doc = editor.doc.value
  const lines = { mine: linesOf(doc, conflict, conflict.mine), theirs: linesOf(doc, conflict, conflict.theirs) }
  const name = `side${place.replaceAll(/[^\w]+/g, '-')}`
  return (
    <fieldset>
      <legend>{nameOf(editor, conflict)}</legend>
      <div class="editor-sides">
        {(['mine', 'theirs'] as const).map((own) => (
          <label key={own} class={own === side ? 'editor-side chosen' : 'editor-side'}>
            <span class="editor-side-head">
              <input type="radio" name={name} checked={own === side} onChange={() => choose(own)} />
              {text(own === 'mine' ? 'editor.conflict.yours' : 'editor.conflict.other')}
            </span>
            {lines[own].map((line, index) => {
              const isOnlyHere = !lines[own === 'mine' ? 'theirs' : 'mine'].includes(line)
              return <span key={index}>{isOnlyHere ? <mark>{line}</mark> : line}</span>
            })}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function nameOf(editor: Editor, { place, kind }: Conflict): string {
  if (kind === 'order') return text('editor.conflict.order')
  const { field } = parsePlace(place)
  if (kind === 'setting') return settingName(field)
  const where = whereText(editor, place)
  const key = `editor.stage.field.${field}`
  return kind === 'stage' && hasText(key) ? `${where}: ${text(key)}` : where
}

function settingName(field: string): string {
  const key = `editor.${field}`
  return hasText(key) ? text(key) : field
}

/** linesOf writes a part as lines of text. */
function linesOf(doc: Doc, { kind, place }: Conflict, value: unknown): string[] {
  if (kind === 'order') return orderLines(doc, value as [string, string[]][])
  const isWhole = kind === 'question' || kind === 'pool' || (kind === 'stage' && parsePlace(place).field === '')
  if (isWhole && value === undefined) return [text('editor.conflict.deleted')]
  if (kind === 'pool') return poolLines(value as Pool)
  if (isWhole) return kind === 'question' ? questionLines(value as Question) : stageLines(value as Stage)
  return [valueText(value, place)]
}

/** Both sides have the questions and pools of which only the order differs. */
function orderLines(doc: Doc, places: [string, string[]][]): string[] {
  const pools = new Set(doc.stages.flatMap(({ pools }) => pools.map(({ key }) => key)))
  return places.map(([, keys], index) => {
    const inPools = keys.filter((key) => pools.has(key)).length
    const counts = [text('editor.questions.count', { count: keys.length - inPools })]
    if (inPools > 0) counts.push(text('editor.pools.count', { count: inPools }))
    return `${text('editor.stage.number', { number: index + 1 })}: ${counts.join(', ')}`
  })
}

function poolLines({ title, count, tags, points }: Pool): string[] {
  const drawn = text('editor.questions.count', { count })
  return [title, `${drawn} · ${text('editor.points.count', { count: points })}`, ...tags].filter(Boolean)
}

function stageLines({ title, questions, pools }: Stage): string[] {
  return [title, ...questions.map(({ prompt }) => prompt), ...pools.flatMap(poolLines)]
}

const optionLines = ({ options, correct }: Question) =>
  options.map(({ id, text: option }) => (correct.includes(id) ? `✓ ${option}` : `○ ${option}`))

/** The key of each type as lines of text. */
const keyLines: Record<QuestionType, (question: Question) => string[]> = {
  SINGLE_CHOICE: optionLines,
  MULTIPLE_CHOICE: optionLines,
  NUMERIC: ({ answer, tolerance }) => [answer === null ? '–' : `${quantity(answer)} ± ${quantity(tolerance)}`],
  SHORT_TEXT({ acceptedAnswers, exactMatch, caseSensitive }) {
    if (exactMatch) return [...acceptedAnswers, text('editor.exactMatch')]
    return caseSensitive ? [...acceptedAnswers, text('editor.caseSensitive')] : acceptedAnswers
  },
  FREE_TEXT: ({ maxWords, rubric }) => [
    ...(maxWords === null ? [] : [text('editor.maxWords.short', { count: maxWords })]),
    ...rubric.map(({ title, points, description }) =>
      [`${title} · ${text('editor.points.count', { count: points })}`, description].filter(Boolean).join('\n'),
    ),
  ],
}

function questionLines(question: Question): string[] {
  const { type, prompt, points, explanation } = question
  const lines = [
    prompt,
    `${text(`editor.type.${type}`)} · ${text('editor.points.count', { count: points })}`,
    ...keyLines[type](question),
  ]
  if (explanation) lines.push(text(`${shown[type].explanation ?? 'editor.explanation'}.is`, { text: explanation }))
  return lines
}

function valueText(value: unknown, place: string): string {
  if (value === null || value === '' || value === undefined) return text('editor.conflict.none')
  if (typeof value === 'boolean') return text(value ? 'editor.conflict.yes' : 'editor.conflict.no')
  if (typeof value === 'number') return place === '/passingScore' ? score(value) : number(value, 2)
  if (Array.isArray(value)) return value.length === 0 ? text('editor.conflict.none') : value.join(', ')
  if (typeof value === 'object') return gateText(value as Gate)
  const written = String(value)
  return place === '/opensAt' || place === '/closesAt' ? dayAndTime(written) : written
}
