// The points that a person enters for an answer: one number, or one for each criterion of the rubric.
import type { Schemas } from '../core/api.ts'

export type Criterion = Schemas['Criterion']
type Grade = Schemas['AnswerGrade']

/** The texts of the fields, by the id of the criterion. */
export type Marks = Record<string, string>

/** The points of an answer without a rubric, as its only criterion. */
export const whole = (points: number): Criterion => ({ id: '', title: '', points, description: null })

/** marksOf returns the points of a grade as texts. A field without points is empty, so that nobody saves 0 by mistake. */
export function marksOf(criteria: Criterion[], grade: Pick<Grade, 'points' | 'rubric'> | undefined): Marks {
  return Object.fromEntries(
    criteria.map(({ id }) => {
      const points = id ? grade?.rubric?.find((one) => one.id === id)?.points : grade?.points
      return [id, points == null ? '' : String(points)]
    }),
  )
}

/** pointsOf reads a field, with a decimal point or comma. It returns undefined unless the criterion permits the number. */
export function pointsOf(mark: string | undefined, { points: most }: Pick<Criterion, 'points'>): number | undefined {
  const typed = (mark ?? '').trim().replace(',', '.')
  const points = Number(typed)
  return typed !== '' && points >= 0 && points <= most ? points : undefined
}

/** sumOf adds the points of all criteria with two decimals, as the server compares them. Empty fields count 0. */
export function sumOf(criteria: Criterion[], marks: Marks): number {
  const sum = criteria.reduce((total, criterion) => total + (pointsOf(marks[criterion.id], criterion) ?? 0), 0)
  return Math.round(100 * sum) / 100
}

/** hasChoices reports whether the points can be chosen by a press or a digit. Others are typed. */
export const hasChoices = ({ points }: Criterion) => Number.isInteger(points) && points <= 9

/** isTyped reports whether a mark is none of the choices, such as half a point. */
export const isTyped = (mark: string | undefined) => !!mark && !Number.isInteger(Number(mark.replace(',', '.')))
