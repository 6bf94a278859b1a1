// The points that a person types for the criteria of an answer.
import type { Schemas } from '../core/api.ts'
import { number } from '../core/figures.ts'

export type Claim = NonNullable<Schemas['GradingTurn']['claim']>

/** What a person has entered: the points as they are typed, by criterion, and the comment. */
export interface Entry {
  points: Record<string, string>
  comment: string
}

export interface Criterion {
  id: string
  title: string
  points: number
  description: string | null
}

/** The criterion that stands for the points of an answer without a rubric. */
export const whole = ''

/** criteriaOf returns the criteria of a question. Without a rubric it has one, without a title. */
export function criteriaOf({ rubric, points }: Claim['question']): Criterion[] {
  if (rubric && rubric.length > 0) return rubric
  return [{ id: whole, title: '', points, description: null }]
}

/** readPoints reads typed points, also with a comma. It returns undefined for an empty field, and NaN for an invalid one. */
export function readPoints(typed: string | undefined, most: number): number | undefined {
  const plain = (typed ?? '').trim().replace(',', '.')
  if (plain === '') return undefined
  const points = /^\d{1,4}(\.\d{0,2})?$/.test(plain) ? Number(plain) : NaN
  return points <= most ? points : NaN
}

/** typedOf writes points as a person types them: with the decimal sign of the language, and without groups of digits. */
export const typedOf = (points: number): string => String(points).replace('.', number(0.5, 1)[1]!)

/** sumOf adds the points that are decided and valid. Points have two decimals. */
export function sumOf(criteria: Criterion[], { points }: Entry): number {
  const hundredths = criteria.map(({ id, points: most }) => Math.round((readPoints(points[id], most) || 0) * 100))
  return hundredths.reduce((sum, part) => sum + part, 0) / 100
}

/** openOf returns the first criterion without valid points. */
export function openOf(criteria: Criterion[], { points }: Entry): Criterion | undefined {
  return criteria.find(({ id, points: most }) => !((readPoints(points[id], most) ?? NaN) >= 0))
}

/** The most points for which each whole number has a button. */
const mostButtons = 10

/** choicesOf returns the points that have a button: all whole numbers, or only none and all. */
export function choicesOf(most: number): number[] {
  if (most > mostButtons) return [0, most]
  const whole = Array.from({ length: Math.floor(most) + 1 }, (_, i) => i)
  return Number.isInteger(most) ? whole : [...whole, most]
}

/** draftOf is the request for an entry that can be incomplete. */
export function draftOf(question: Claim['question'], entry: Entry): Schemas['GradingDraftPut'] {
  const decided = criteriaOf(question).flatMap(({ id, points: most }) => {
    const points = readPoints(entry.points[id], most)
    return points !== undefined && points >= 0 ? [{ id, points }] : []
  })
  const isWhole = criteriaOf(question)[0]!.id === whole
  return {
    points: isWhole ? (decided[0]?.points ?? null) : null,
    rubric: isWhole ? [] : decided,
    comment: entry.comment.trim() || null,
  }
}

/** gradeOf is the request for an entry whose criteria all have points. */
export function gradeOf(question: Claim['question'], entry: Entry): Schemas['ClaimGrade'] {
  const { rubric, comment } = draftOf(question, entry)
  const points = sumOf(criteriaOf(question), entry)
  return { points, comment, ...(rubric.length > 0 && { rubric }) }
}

/** entryOf is what a draft of the server contains. */
export function entryOf({ draft }: Claim): Entry {
  const rubric = Object.fromEntries((draft?.rubric ?? []).map(({ id, points }) => [id, typedOf(points)]))
  const points = draft?.points == null || draft.rubric.length > 0 ? rubric : { [whole]: typedOf(draft.points) }
  return { points, comment: draft?.comment ?? '' }
}

/** isEmpty reports whether nothing is entered. */
export function isEmpty({ points, comment }: Entry): boolean {
  return comment.trim() === '' && Object.values(points).every((typed) => typed.trim() === '')
}
