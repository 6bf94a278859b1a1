// An answer as the page knows it, and as the API takes it.
import type { Schemas } from '../shared/api.ts'
import type { Answer, KeptAnswer } from './database.ts'

/** An answer as the page shows it. */
export interface Entry extends KeptAnswer {
  /** Why the server did not accept the answer. */
  refused?: string
  /** Whether the answer does not reach the server, although others do. It is still tried from time to time. */
  blocked?: boolean
  /** How much speaks for the answer as the reason of failures; see `doubt` of Outcome. */
  doubt?: number
  /** Whether the answer was sent again after a refusal, because the network has changed. */
  isRepeated?: boolean
  /** A newer answer of another device, between which and this one the candidate chooses. */
  conflict?: { answer: Answer | null; revision: number; savedAt: number }
}

export type SaveState = 'none' | 'saving' | 'saved' | 'waiting' | 'conflict' | 'refused' | 'blocked'

/** An answer, as the API takes it. */
export type Row = Schemas['AnswerChange']

/** rowOf is an entry, as the API takes it. */
export function rowOf({ question, answer, revision, seen }: Entry): Row {
  return { questionId: question, answer, revision, seenRevision: seen }
}

/** keptOf is an entry without what only this visit knows. */
export function keptOf(entry: Entry): KeptAnswer {
  const { refused: _, conflict: __, blocked: ___, doubt: ____, isRepeated: _____, ...kept } = entry
  return kept
}

/** bare removes the fields that a response has as null. */
export function bare(answer: Schemas['Answer']): Answer {
  return Object.fromEntries(Object.entries(answer ?? {}).filter(([, value]) => value != null)) as Answer
}

export function same(a: Answer | null, b: Answer | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** size is the size of a value in a request, in bytes. */
export const size = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

// Browsers send at most 64 KiB while a page closes, and a slow connection needs small requests.
const bytesAtOnce = 48_000

/** The limit of the contract for the answers of a request. */
export const maxRows = 500

/** fitting is the first of the rows, as many as fit into one request, and at most `limit`. */
export function fitting(rows: Row[], limit: number): Row[] {
  let bytes = 0
  const end = rows.findIndex((row, i) => {
    bytes += size(row)
    return i > 0 && (bytes > bytesAtOnce || i === limit)
  })
  return end < 0 ? rows : rows.slice(0, end)
}
