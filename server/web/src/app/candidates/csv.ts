// CSV files that the dashboard makes, as the server makes its exports.
import { cellOf } from './csv_cell.ts'
import { today } from './filters.ts'
import type { Session } from './sessions.ts'

/** csvOf writes a file for spreadsheets. The mark at its beginning tells Excel that it is UTF-8. */
export function csvOf(rows: (string | number | boolean | null)[][]): Blob {
  const lines = rows.map((row) => row.map((value) => cellOf(value === null ? '' : String(value))).join(','))
  return new Blob(['\uFEFF', lines.map((line) => line + '\r\n').join('')], { type: 'text/csv' })
}

const columns: (keyof Session)[] = [
  'id', 'assessmentId', 'assessmentTitle', 'candidateName', 'candidateEmail', 'externalId', 'metadata', 'status', 'attempt', 'score',
  'passed', 'closeReason', 'extraTimePercent', 'invitedAt', 'expiresAt', 'startedAt', 'deadlineAt', 'completedAt', 'disqualifiedAt',
  'cancelledAt', 'createdAt', 'updatedAt', 'erasedAt', 'note', 'startFrom', 'startUntil', 'stateId', 'tags', 'rating',
]

/** sessionsCsv has the columns of the server's export. */
export function sessionsCsv(sessions: Session[]): Blob {
  const cells = (session: Session) =>
    columns.map((column) => {
      const value = session[column]
      if (Array.isArray(value)) return value.join(',')
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    })
  return csvOf([columns, ...sessions.map(cells)])
}

/** fileName says what a file contains and when it was made. */
export function fileName(kind: string, title: string | undefined, extension = '.csv'): string {
  const words = (title ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '').slice(0, 60)
  return [kind, words, today()].filter(Boolean).join('-') + extension
}
