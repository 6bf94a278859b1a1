// The conditions of a new segment, as they are typed.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { addDays, startOfDay } from '../core/wall_time.ts'

/** The value of the field for the language if the candidates' language is not one of the page's. */
export const otherLanguage = 'other'
const maxAttempt = 1000

/** What is typed. Empty fields are no conditions. */
export interface Entered {
  since: string
  until: string
  label: string
  value: string
  locale: string
  tag: string
  attempt: string
}

export const empty: Entered = { since: '', until: '', label: '', value: '', locale: '', tag: '', attempt: '' }

/** The JSON Pointer of the value of a label (RFC 6901). */
export const valuePointer = (label: string) =>
  `/filter/metadata/${label.trim().replaceAll('~', '~0').replaceAll('/', '~1')}`

/** filterOf returns the conditions that were typed. A period contains its last day. */
export function filterOf(entered: Entered, zone: string): Schemas['SegmentFilterInput'] {
  const { since, until, label, value, locale, tag, attempt } = entered
  const language = locale === otherLanguage ? tag.trim() : locale
  const from = startOfDay(since, zone)
  const to = startOfDay(addDays(until, 1), zone)
  return {
    ...(from && { completedSince: from }),
    ...(to && { completedUntil: to }),
    ...(label.trim() && { metadata: { [label.trim()]: value } }),
    ...(language && { language }),
    ...(attempt && { attempt: Number(attempt) }),
  }
}

/** faultsOf returns what must change before the server can check the rest, by JSON Pointer. */
export function faultsOf(entered: Entered): Record<string, string> {
  const { since, until, label, value, locale, tag, attempt } = entered
  if (Object.values(entered).every((field) => field.trim() === ''))
    return { '/filter/completedSince': text('segments.filter.missing') }
  const faults: Record<string, string> = {}
  if (since && until && until < since) faults['/filter/completedUntil'] = text('segments.end.order')
  if (!label.trim() && value) faults['/filter/metadata'] = text('segments.metadata.key.missing')
  if (label.trim() && !value) faults[valuePointer(label)] = text('segments.metadata.value.missing')
  if (locale === otherLanguage && !tag.trim()) faults['/filter/language'] = text('segments.locale.tag.missing')
  if (attempt && !isAttempt(Number(attempt)))
    faults['/filter/attempt'] = text('segments.attempts.range', { most: maxAttempt })
  return faults
}

const isAttempt = (value: number) => Number.isInteger(value) && value >= 1 && value <= maxAttempt
