// What a segment contains, in words.
import { language, list, text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { day, dayAndTime } from '../core/formats.tsx'
import { toField } from '../core/zone.ts'

export type Segment = Schemas['Segment']

/** filterWords returns the conditions of a segment, for example "from 1 Jul 2026, language: Deutsch". */
export function filterWords({ filter }: Segment): string {
  const { completedSince: since, completedUntil: until, metadata, language: tag, attempt } = filter
  return list([
    ...(since ? [text('segments.from', { time: isMidnight(since) ? day(since) : dayAndTime(since) })] : []),
    ...(until ? [text('segments.until', { time: isMidnight(until) ? lastDay(until) : dayAndTime(until) })] : []),
    ...Object.entries(metadata).map(([label, value]) => text('segments.label', { label, value })),
    ...(tag ? [text('segments.language', { language: languageName(tag) })] : []),
    ...(attempt === null ? [] : [text('segments.attempt', { attempt })]),
  ])
}

/** languageName returns the name of a language in the language of the reader. */
export function languageName(tag: string): string {
  return new Intl.DisplayNames([language.value.tag], { type: 'language' }).of(tag) ?? tag
}

const isMidnight = (at: string) => toField(at).endsWith('T00:00')

/** A period that ends at midnight contains the day before. */
const lastDay = (until: string) => day(new Date(Date.parse(until) - 1))

/** nameOf names one side of a comparison. */
export function nameOf({ name }: { name: string | null }): string {
  return name ?? text('segments.others')
}
