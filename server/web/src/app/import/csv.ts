// Questions in a table: CSV from a spreadsheet.
import Papa from 'papaparse'
import { assemble, type Placed } from './assemble.ts'
import { buildQuestion, type RawOption } from './build.ts'
import type { ImportFault, Imported, QuestionInput } from './draft.ts'
import { freeTextNames, readCorrectEnd } from './lines.ts'
import { plain } from '../../shared/text.ts'

/** What a column contains. "option" can occur several times; the other roles once. */
export type Role =
  | 'question'
  | 'option'
  | 'options'
  | 'correct'
  | 'points'
  | 'type'
  | 'stage'
  | 'explanation'
  | 'tolerance'
  | 'ignored'

export interface Sheet {
  headers: string[]
  rows: { cells: string[]; line: number }[]
}

/** readSheet reads a file with commas, semicolons, or tabs. The first row has the names of the columns. */
export function readSheet(text: string): Sheet {
  const rows: Sheet['rows'] = []
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  let line = 1
  let from = 0
  Papa.parse<string[]>(plain, {
    delimitersToGuess: [',', ';', '\t', '|'],
    newline: '\n',
    skipEmptyLines: false,
    step: ({ data, meta }) => {
      if (data.some((cell) => cell.trim() !== '')) rows.push({ cells: data.map((cell) => cell.trim()), line })
      line += plain.slice(from, meta.cursor).split('\n').length - 1
      from = meta.cursor
    },
  })
  const [head, ...rest] = rows
  return { headers: head?.cells ?? [], rows: rest }
}

const names: [role: Role, pattern: RegExp][] = [
  ['question', /^(question|questions|question text|prompt|item|stem|frage|fragen|fragetext|aufgabe|text)$/],
  ['options', /^(options|choices|answers|answer options|optionen|antworten|antwortmöglichkeiten|auswahl)$/],
  [
    'correct',
    /^((correct|right)( answers?| options?)?|answer( key)?|key|solution|richtige?( antwort(en)?)?|lösung(en)?|antwort|korrekt)$/,
  ],
  [
    'option',
    /^((option|choice|(wrong )?answer|(falsche )?antwort|auswahl|distractor)\s*[-_.#]?\s*([a-t]|\d{1,2})|[a-t])$/,
  ],
  ['points', /^(points?|score|marks?|weight|punkte?|punktzahl|gewicht)$/],
  ['type', /^(type|question type|kind|typ|fragetyp|art)$/],
  ['stage', /^(stage|section|category|topic|part|chapter|teil|abschnitt|kategorie|thema|kapitel|bereich)$/],
  ['explanation', /^(explanation|feedback|rationale|comment|erklärung|erläuterung|begründung|kommentar|hinweis)$/],
  ['tolerance', /^(tolerance|toleranz|±)$/],
]

/** matchColumns gives each column a role by its name, in English or German. */
export function matchColumns(headers: string[]): Role[] {
  const taken = new Set<Role>()
  return headers.map((header) => {
    const name = plain(header)
      .replace(/[_\s"]+/g, ' ')
      .trim()
      .replace(/\s*[*:?]\s*$/, '')
      .trim()
    const role = names.find(([, pattern]) => pattern.test(name))?.[0]
    if (!role || taken.has(role)) return 'ignored'
    if (role !== 'option') taken.add(role)
    return role
  })
}

const types: [type: QuestionInput['type'], pattern: RegExp][] = [
  ['SINGLE_CHOICE', /^(single( choice)?|sc|radio|mcq|true[ /]false|tf|einfach(auswahl)?|(wahr|richtig)\/falsch)$/],
  ['MULTIPLE_CHOICE', /^(multi|multiple( choice| response| answers?)?|mc|mr|checkbox|mehrfach(auswahl)?)$/],
  ['NUMERIC', /^(numeric|numerical|number|num|zahl|numerisch)$/],
  ['SHORT_TEXT', /^(short text|short answer|text|sa|kurztext|kurzer text|kurzantwort)$/],
  ['FREE_TEXT', freeTextNames],
]

/** fromSheet makes a draft of the rows, with the roles of the columns. */
export function fromSheet(sheet: Sheet, columns: Role[], titles: { title: string; stage: string }): Imported {
  const faults: ImportFault[] = []
  const placed: Placed[] = []
  if (!columns.includes('question')) {
    faults.push({ line: 1, text: sheet.headers.join(', '), reason: 'noQuestionColumn' })
    return assemble(titles, [], faults)
  }
  sheet.headers.forEach((header, i) => {
    const isUsed = columns[i] !== 'ignored' || !sheet.rows.some(({ cells }) => cells[i])
    if (!isUsed) faults.push({ line: 1, text: header, reason: 'unknownColumn' })
  })
  for (const row of sheet.rows) {
    const { question, faults: found } = readRow(row, columns)
    faults.push(...found)
    const stage = row.cells[columns.indexOf('stage')]
    if (question) placed.push({ question, line: row.line, stage })
  }
  return assemble(titles, placed, faults)
}

function readRow({ cells, line }: Sheet['rows'][number], columns: Role[]) {
  const cell = (role: Role) => cells[columns.indexOf(role)] ?? ''
  const field = (role: Role) => (cell(role) === '' ? undefined : { text: cell(role), line })
  const early: ImportFault[] = []
  if (cells.length > columns.length && cells.slice(columns.length).some((extra) => extra !== '')) {
    early.push({ line, text: cells.slice(columns.length).join(', '), reason: 'badRow' })
  }
  const named = cell('type')
  const type = types.find(([, pattern]) => pattern.test(plain(named).replace(/[_\s-]+/g, ' ')))?.[0]
  const isOpen = type === 'NUMERIC' || type === 'SHORT_TEXT' || type === 'FREE_TEXT'
  // "Multiple choice" often means one correct option, so the number of correct options decides.
  const isCertain = isOpen || (type === 'MULTIPLE_CHOICE' && !/choice|^mc$/i.test(named))
  if (named !== '' && !type) early.push({ line, text: named, reason: 'unknownType' })

  const options = isOpen ? [] : optionsOf(cells, columns, line)
  const built = buildQuestion({
    line,
    prompt: cell('question'),
    options,
    answer: isOpen ? (field('correct') ?? openAnswer(cells, columns, line)) : field('correct'),
    points: field('points'),
    tolerance: field('tolerance'),
    explanation: cell('explanation'),
    ...(isCertain && { type }),
  })
  return { ...built, faults: [...early, ...built.faults] }
}

/** Some tables have the answer of an open question in the first column for options. */
function openAnswer(cells: string[], columns: Role[], line: number) {
  const texts = optionsOf(cells, columns, line).map(({ text }) => text)
  return texts.length > 0 ? { text: texts.join(' | '), line } : undefined
}

function optionsOf(cells: string[], columns: Role[], line: number): RawOption[] {
  const separate = columns.flatMap((role, i) => (role === 'option' && cells[i] ? [cells[i]] : []))
  const joined = cells[columns.indexOf('options')] ?? ''
  const separator = joined.includes('\n') ? /\n+/ : joined.includes('|') ? /\|/ : /;/
  const listed = joined.split(separator).map((text) => text.trim().replace(/^\(?[A-Ta-t][).]\s+/, ''))
  return [...separate, ...listed]
    .filter((text) => text !== '')
    .map((text) => {
      const before = /^\*+\s*(?=\S)/.exec(text)
      const end = readCorrectEnd(text)
      if (before) return { text: text.slice(before[0].length), isCorrect: true, line }
      return { text: end ?? text, isCorrect: end !== undefined, line }
    })
}
