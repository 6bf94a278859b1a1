// The rubric of a question in the document. Each command returns another document.
import {
  freeId, inserted, moved, pointsOf, questionOf, setQuestion, type Criterion, type Doc, type Question,
} from './model.ts'

const rubricOf = (doc: Doc, key: string): Criterion[] => questionOf(doc, key)?.rubric ?? []

export function setCriterion(doc: Doc, key: string, id: string, change: Partial<Criterion>): Doc {
  const rubric = rubricOf(doc, key).map((criterion) => (criterion.id === id ? { ...criterion, ...change } : criterion))
  return setQuestion(doc, key, { rubric })
}

/** insertCriterion adds a criterion with the points that the others leave, or 1. */
export function insertCriterion(doc: Doc, key: string, index: number): Doc {
  const rubric = rubricOf(doc, key)
  const left = pointsOf([...rubric.map(({ points }) => ({ points: -points })), questionOf(doc, key) ?? { points: 0 }])
  const added = { id: freeId(rubric), title: '', points: left > 0 ? left : 1, description: '' }
  return setQuestion(doc, key, { rubric: inserted(rubric, index, [added]) })
}

export function deleteCriterion(doc: Doc, key: string, id: string): Doc {
  return setQuestion(doc, key, { rubric: rubricOf(doc, key).filter((criterion) => criterion.id !== id) })
}

/** stepCriterion moves a criterion by one place, or returns the same document at the ends. */
export function stepCriterion(doc: Doc, key: string, id: string, by: 1 | -1): Doc {
  const from = rubricOf(doc, key).findIndex((criterion) => criterion.id === id)
  return placeCriterion(doc, key, id, from + by)
}

/** placeCriterion moves a criterion to an index, counted without the criterion itself. */
export function placeCriterion(doc: Doc, key: string, id: string, index: number): Doc {
  const rubric = rubricOf(doc, key)
  const next = moved(rubric, rubric.findIndex((criterion) => criterion.id === id), index)
  return next === rubric ? doc : setQuestion(doc, key, { rubric: next })
}

/** isUneven reports whether the points of the criteria differ from those of the question. Publishing refuses that. */
export function isUneven({ rubric, points }: Question): boolean {
  return rubric.length > 0 && pointsOf(rubric) !== pointsOf([{ points }])
}
