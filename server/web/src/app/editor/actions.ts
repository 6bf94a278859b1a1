// What the buttons and shortcuts of the editor do, with the place that gets the focus afterwards.
import { text } from '../../shared/i18n.tsx'
import { notify } from '../core/notices.tsx'
import {
  copyQuestion, deleteOption, deleteQuestion, deleteStage, insertOption, insertQuestions, insertStage, limits,
  moveOption, moveQuestion, moveStage, newQuestion, newStage, questionCount, questionOf, stageOf, type Doc,
  type Question, type Stage,
} from './model.ts'
import { atOnce } from './focus.ts'
import { parsePlace } from './places.ts'
import { deletePool, insertPool, movePool, newPool } from './pool.ts'
import { deleteCriterion, insertCriterion, stepCriterion } from './rubric.ts'
import type { Editor, FieldEditor } from './state.ts'

/** Adds questions after a question, or at the end of a stage, and opens the first. */
export function addQuestions(editor: Editor, after: string, questions: Question[]): boolean {
  const doc = editor.doc.peek()
  const stage = stageOf(doc, after) ?? doc.stages.find(({ key }) => key === after)
  if (!stage || questions.length === 0) return false
  if (questionCount(doc.stages) + questions.length > limits.questions) {
    notify(text('editor.limit.questions', { count: limits.questions }))
    return false
  }
  const index = stage.questions.findIndex(({ key }) => key === after)
  const place = `/q/${questions[0]!.key}/prompt`
  editor.change(insertQuestions(doc, stage.key, index < 0 ? stage.questions.length : index + 1, questions), place)
  editor.show(place)
  return true
}

export function addQuestion(editor: Editor, after: string): void {
  const type = questionOf(editor.doc.peek(), after)?.type
  addQuestions(editor, after, [newQuestion(type)])
}

export function duplicateQuestion(editor: Editor, question: Question): void {
  addQuestions(editor, question.key, [copyQuestion(question)])
}

/** Deletes a question. The next one, or the one before, gets the focus. */
export function removeQuestion(editor: Editor, key: string): void {
  const doc = editor.doc.peek()
  const stage = stageOf(doc, key)
  if (!stage) return
  const index = stage.questions.findIndex((question) => question.key === key)
  const next = stage.questions[index + 1] ?? stage.questions[index - 1]
  editor.change(deleteQuestion(doc, key), `/q/${key}/prompt`)
  editor.active.value = undefined
  editor.stage.value = stage.key
  editor.wanted.value = next ? `/q/${next.key}/card` : `/s/${stage.key}/add`
  notify(text('editor.deleted.question'), { label: text('editor.undo'), act: () => void editor.undo() })
}

export function addPool(editor: Editor, stage: Stage): void {
  if (stage.pools.length >= limits.pools) return notify(text('editor.limit.pools', { count: limits.pools }))
  const pool = newPool()
  const place = `/p/${pool.key}/tags`
  editor.change(insertPool(editor.doc.peek(), stage.key, stage.pools.length, pool), place)
  editor.show(place)
}

export function removePool(editor: Editor, key: string): void {
  const doc = editor.doc.peek()
  const stage = stageOf(doc, key)!
  const index = stage.pools.findIndex((pool) => pool.key === key)
  const next = stage.pools[index + 1] ?? stage.pools[index - 1]
  editor.change(deletePool(doc, key), `/p/${key}/tags`)
  editor.active.value = undefined
  editor.stage.value = stage.key
  editor.wanted.value = next ? `/p/${next.key}/card` : `/s/${stage.key}/add`
  notify(text('editor.deleted.pool'), { label: text('editor.undo'), act: () => void editor.undo() })
}

export function stepPool(editor: FieldEditor, key: string, by: 1 | -1): void {
  const doc = editor.doc.peek()
  const next = movePool(doc, key, by)
  if (next !== doc) changeOrder(editor, next, `/p/${key}/tags`)
}

export function addStage(editor: Editor): void {
  const doc = editor.doc.peek()
  if (doc.stages.length >= limits.stages) return notify(text('editor.limit.stages', { count: limits.stages }))
  const stage = newStage(text('editor.stage.newTitle', { number: doc.stages.length + 1 }))
  const place = `/s/${stage.key}/title`
  editor.change(insertStage(doc, doc.stages.length, stage), place)
  editor.show(place)
}

export function removeStage(editor: Editor, stage: Stage): void {
  const doc = editor.doc.peek()
  const index = doc.stages.indexOf(stage)
  const next = doc.stages[index + 1] ?? doc.stages[index - 1]
  editor.change(deleteStage(doc, stage.key), `/s/${stage.key}/title`)
  editor.active.value = undefined
  editor.stage.value = next?.key
  editor.wanted.value = next ? `/s/${next.key}/card` : '/stages'
  const message = text('editor.deleted.stage', { count: stage.questions.length })
  notify(message, { label: text('editor.undo'), act: () => void editor.undo() })
}

export function stepStage(editor: FieldEditor, key: string, by: 1 | -1): void {
  const doc = editor.doc.peek()
  const next = moveStage(doc, key, by)
  if (next === doc) return
  changeOrder(editor, next, `/s/${key}/title`)
}

export function stepQuestion(editor: FieldEditor, key: string, by: 1 | -1): void {
  const doc = editor.doc.peek()
  const next = moveQuestion(doc, key, by)
  if (next === doc) return
  changeOrder(editor, next, `/q/${key}/prompt`)
}

export function stepOption(editor: FieldEditor, key: string, id: string, by: 1 | -1): void {
  const doc = editor.doc.peek()
  const index = questionOf(doc, key)?.options.findIndex((option) => option.id === id) ?? -1
  const next = moveOption(doc, key, id, index + by)
  if (next === doc) return
  changeOrder(editor, next, `/q/${key}/options/${id}`)
}

/** A browser drops the focus when its element moves. It goes back to the same place, or to the same button. */
function changeOrder(editor: FieldEditor, next: Doc, changed: string): void {
  const focused = document.activeElement?.closest<HTMLElement>('[data-place]')?.dataset.place
  atOnce(editor, () => {
    editor.change(next, changed)
    if (focused) editor.wanted.value = focused
  })
}

/** Adds an option after another one, or at the end. */
export function addOption(editor: FieldEditor, key: string, after?: string): void {
  const doc = editor.doc.peek()
  const options = questionOf(doc, key)?.options ?? []
  if (options.length >= limits.options) return notify(text('editor.limit.options', { count: limits.options }))
  const index = after === undefined ? options.length : options.findIndex(({ id }) => id === after) + 1
  const next = insertOption(doc, key, index)
  const added = questionOf(next, key)!.options[index]!
  const place = `/q/${key}/options/${added.id}`
  editor.change(next, place)
  editor.wanted.value = place
}

/** Removes an option. The one before gets the focus. */
export function removeOption(editor: FieldEditor, key: string, id: string): void {
  const doc = editor.doc.peek()
  const options = questionOf(doc, key)?.options ?? []
  const index = options.findIndex((option) => option.id === id)
  const next = options[index - 1] ?? options[index + 1]
  editor.change(deleteOption(doc, key, id), `/q/${key}/options/${id}`)
  editor.wanted.value = next ? `/q/${key}/options/${next.id}` : `/q/${key}/addOption`
}

/** Adds a criterion after another one, or at the end. */
export function addCriterion(editor: FieldEditor, key: string, after?: string): void {
  const doc = editor.doc.peek()
  const rubric = questionOf(doc, key)?.rubric ?? []
  if (rubric.length >= limits.criteria) return notify(text('editor.limit.criteria', { count: limits.criteria }))
  const index = after === undefined ? rubric.length : rubric.findIndex(({ id }) => id === after) + 1
  const next = insertCriterion(doc, key, index)
  const place = `/q/${key}/rubric/${questionOf(next, key)!.rubric[index]!.id}/title`
  editor.change(next, place)
  editor.wanted.value = place
}

/** Removes a criterion. The one before gets the focus. */
export function removeCriterion(editor: FieldEditor, key: string, id: string): void {
  const doc = editor.doc.peek()
  const rubric = questionOf(doc, key)?.rubric ?? []
  const index = rubric.findIndex((criterion) => criterion.id === id)
  const next = rubric[index - 1] ?? rubric[index + 1]
  editor.change(deleteCriterion(doc, key, id), `/q/${key}/rubric/${id}/title`)
  editor.wanted.value = next ? `/q/${key}/rubric/${next.id}/title` : `/q/${key}/addCriterion`
}

export function moveCriterion(editor: FieldEditor, key: string, id: string, by: 1 | -1): void {
  const doc = editor.doc.peek()
  const next = stepCriterion(doc, key, id, by)
  if (next !== doc) changeOrder(editor, next, `/q/${key}/rubric/${id}/title`)
}

/** Moves what has the focus: an option, a criterion, a question, a pool, or a stage. */
export function stepFocused(editor: FieldEditor, target: Element, by: 1 | -1): void {
  const place = target.closest<HTMLElement>('[data-place]')?.dataset.place
  if (!place) return
  const { kind, key, field } = parsePlace(place)
  const option = /^options\/(.+)$/.exec(field)?.[1]
  const criterion = /^rubric\/([^/]+)/.exec(field)?.[1]
  if (kind === 'question' && option) stepOption(editor, key!, option, by)
  else if (kind === 'question' && criterion) moveCriterion(editor, key!, criterion, by)
  else if (kind === 'question') stepQuestion(editor, key!, by)
  else if (kind === 'pool') stepPool(editor, key!, by)
  else if (kind === 'stage') stepStage(editor, key!, by)
}
