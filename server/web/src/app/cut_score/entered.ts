// The ratings that a judge enters, and the cut score that they make.
import { text } from '../../shared/i18n.tsx'
import type { AssessmentDetail } from '../assessment/head.tsx'
import type { Schemas } from '../core/api.ts'

export type Question = Schemas['Question']

/** What is in the fields, by the id of the question. */
export type Entered = Record<string, string>

/** questionsOf returns all questions of an assessment, in their order. */
export const questionsOf = ({ stages }: AssessmentDetail): Question[] => stages.flatMap(({ questions }) => questions)

export const enteredOf = ({ ratings }: Schemas['CutScoreRatings']): Entered =>
  Object.fromEntries(ratings.map(({ questionId, percent }) => [questionId, String(percent)]))

/** percentOf reads a field. It is undefined for an empty field, and NaN if it is no number from 0 to 100. */
function percentOf(typed: string | undefined): number | undefined {
  const value = (typed ?? '').trim().replace(',', '.')
  if (value === '') return undefined
  const percent = Number(value)
  return percent >= 0 && percent <= 100 ? percent : NaN
}

/** ratingsOf returns the ratings of the request: the fields that are not empty. */
export const ratingsOf = (questions: Question[], entered: Entered) =>
  questions.flatMap(({ id }) => {
    const percent = percentOf(entered[id])
    return percent === undefined ? [] : [{ questionId: id, percent }]
  })

/** pointerOf is the place of a rating in the request. Questions without a rating have none, and keep their own name. */
export function pointerOf(questions: Question[], entered: Entered, id: string): string {
  const index = ratingsOf(questions, entered).findIndex(({ questionId }) => questionId === id)
  return index === -1 ? `/${id}` : `/ratings/${index}/percent`
}

export function faultsOf(questions: Question[], entered: Entered): Record<string, string> {
  const ratings = ratingsOf(questions, entered)
  if (ratings.length === 0) return { [`/${questions[0]?.id}`]: text('cutScore.none') }
  return Object.fromEntries(
    ratings.flatMap(({ percent }, i) =>
      Number.isNaN(percent) ? [[`/ratings/${i}/percent`, text('cutScore.range')]] : [],
    ),
  )
}

/** sumOf is the sum of the ratings in percent of the points of the rated questions. Null without one. */
export function sumOf(questions: Question[], entered: Entered): number | null {
  const rated = ratingsOf(questions, entered).filter(({ percent }) => !Number.isNaN(percent))
  const pointsOf = (id: string) => questions.find((question) => question.id === id)!.points
  const most = rated.reduce((sum, { questionId }) => sum + pointsOf(questionId), 0)
  if (most === 0) return null
  const points = rated.reduce((sum, { questionId, percent }) => sum + (percent * pointsOf(questionId)) / 100, 0)
  return Math.round((10_000 * points) / most) / 100
}
