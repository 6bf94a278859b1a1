// The notes of a report: their severities, their texts, and the lines that they are about.
import { text } from '../../shared/i18n.tsx'
import { hasText } from '../core/faults.ts'
import type { Item, Note, Report } from './contract.ts'
import type { Lines } from './source.ts'

/** The severities, the worst one first. */
export const severities = ['NOT_IMPORTED', 'INCOMPLETE', 'CHANGED', 'INFO'] as const
export type Severity = (typeof severities)[number]

/** severityOf returns INFO for a severity of a later version. */
export function severityOf({ severity }: Note): Severity {
  return severities.find((known) => known === severity) ?? 'INFO'
}

/** noteText is the sentence of a note. A code of a later version has the server's sentence. */
export function noteText({ code, detail }: Note): string {
  const key = `import.note.${code}`
  return hasText(key) ? text(key) : detail
}

const worst = (notes: Note[]) => severities.find((severity) => notes.some((note) => severityOf(note) === severity))

/** allNotes returns the notes about the source and those of all questions. */
export const allNotes = ({ notes, questions }: Report): Note[] => [...notes, ...questions.flatMap((item) => item.notes)]

/** countsOf returns how many notes of each severity there are, without those that have none. */
export function countsOf(report: Report): { severity: Severity; count: number }[] {
  const notes = allNotes(report)
  return severities
    .map((severity) => ({ severity, count: notes.filter((note) => severityOf(note) === severity).length }))
    .filter(({ count }) => count > 0)
}

/** marksOf returns the worst severity of each line that has a note. In a table, the report has rows. */
export function marksOf(report: Report, rows?: Lines[]): Map<number, Severity> {
  const byLine = new Map<number, Note[]>()
  const add = (place: number | null, note: Note) => {
    if (place === null) return
    const line = rows?.[place - 1]?.line ?? place
    byLine.set(line, [...(byLine.get(line) ?? []), note])
  }
  for (const note of report.notes) add(note.line, note)
  for (const item of report.questions) for (const note of item.notes) add(note.line ?? item.line, note)
  return new Map([...byLine].map(([line, notes]) => [line, worst(notes)!]))
}

export const isImported = (item: Item) => item.stageOrder !== null && item.questionOrder !== null

/** toComplete returns how many questions of the draft an author must complete. */
export function toComplete({ questions }: Report): number {
  return questions.filter((item) => isImported(item) && item.notes.some((note) => severityOf(note) === 'INCOMPLETE'))
    .length
}
