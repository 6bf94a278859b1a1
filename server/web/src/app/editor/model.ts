// The document of the editor: an assessment as a person edits it. Documents never change; each command returns a new
// one that shares its unchanged parts with the old one.
import type { Schemas } from '../../shared/api.ts'

export type QuestionType = QuestionInput['type']

/** The fields of the assessment itself. An empty text is null in the contract. */
export interface Settings {
  title: string
  description: string
  instructions: string
  closingMessage: string
  inviteMessage: string
  passingScore: number | null
  timeLimitMinutes: number | null
  inviteExpiryDays: number
  redirectUrl: string
  locale: string
  shuffleQuestions: boolean
  shuffleOptions: boolean
  opensAt: string
  closesAt: string
  remindAfterHours: number[]
}

export interface Option {
  id: string
  text: string
}

/** A criterion of a rubric. */
export interface Criterion {
  id: string
  title: string
  points: number
  description: string
}

/** What a failed gate causes. Later versions of the contract can have further values. */
export type OnFail = NonNullable<NonNullable<Schemas['GateInput']>['onFail']>

export interface Gate {
  minScore: number
  onFail: OnFail
}

/** A question with the fields of every type, so that another type and back loses nothing. */
export interface Question {
  /** Identifies the question in this browser. A new question has no id of the server. */
  key: string
  type: QuestionType
  prompt: string
  points: number
  explanation: string
  options: Option[]
  /** The ids of the correct options. A question with a single choice uses the first. */
  correct: string[]
  partialCredit: boolean
  answer: number | null
  tolerance: number
  acceptedAnswers: string[]
  caseSensitive: boolean
  exactMatch: boolean
  maxWords: number | null
  rubric: Criterion[]
  /** The question of the bank of which this is a copy. Undefined in a document that an earlier version has kept. */
  bankQuestionId: string | null | undefined
  /** The version of the copy, or null until the server has given the question its content. */
  bankVersion: number | null
  /** The pool to which publishing has added the question, or null if every candidate gets it. */
  poolId: string | null
}

/** Draws `count` questions of the bank that have all the tags, for each candidate. */
export interface Pool {
  key: string
  title: string
  count: number
  tags: string[]
  points: number
  /** How many questions a published pool has. Null in a draft. */
  questionCount: number | null
}

export interface Stage {
  key: string
  title: string
  description: string
  timeLimitMinutes: number | null
  gate: Gate | null
  questions: Question[]
  pools: Pool[]
}

export interface Doc {
  settings: Settings
  stages: Stage[]
}

export type Detail = Schemas['AssessmentDetail']
export type Update = Schemas['AssessmentUpdate']
export type QuestionInput = Schemas['QuestionInput']

/** The limits of the contract. */
export const limits = {
  questions: 500, stages: 50, options: 20, acceptedAnswers: 50, criteria: 20, reminders: 3, pools: 20,
}

let made = 0
/** newKey returns a key that no other document of this browser has. */
export function newKey(): string {
  return `new-${Date.now().toString(36)}-${(++made).toString(36)}-${Math.random().toString(36).slice(2, 6)}`
}

export function newQuestion(type: QuestionType = 'SINGLE_CHOICE'): Question {
  return {
    key: newKey(),
    type,
    prompt: '',
    points: 1,
    explanation: '',
    options: [
      { id: 'a', text: '' },
      { id: 'b', text: '' },
    ],
    correct: [],
    partialCredit: false,
    answer: null,
    tolerance: 0,
    acceptedAnswers: [''],
    caseSensitive: false,
    exactMatch: false,
    maxWords: null,
    rubric: [],
    bankQuestionId: null,
    bankVersion: null,
    poolId: null,
  }
}

export function newStage(title: string): Stage {
  return { key: newKey(), title, description: '', timeLimitMinutes: null, gate: null, questions: [], pools: [] }
}

/** same reports whether two values are equal as JSON. Shared parts are the usual case. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** stageOf returns the stage that contains a question or a pool. */
export function stageOf(doc: Doc, key: string): Stage | undefined {
  const has = (list: { key: string }[]) => list.some((item) => item.key === key)
  return doc.stages.find(({ questions, pools }) => has(questions) || has(pools))
}

export function questionOf(doc: Doc, key: string): Question | undefined {
  return stageOf(doc, key)?.questions.find((question) => question.key === key)
}

/** ownQuestions returns the questions that every candidate gets. */
export const ownQuestions = ({ questions }: Stage): Question[] => questions.filter(({ poolId }) => poolId === null)

/** questionCount returns how many questions a candidate gets in these stages. */
export function questionCount(stages: Stage[]): number {
  const drawn = ({ pools }: Stage) => pools.reduce((sum, { count }) => sum + count, 0)
  return stages.reduce((sum, stage) => sum + ownQuestions(stage).length + drawn(stage), 0)
}

/** stagePoints returns the most points that a candidate can have in these stages. */
export function stagePoints(stages: Stage[]): number {
  const drawn = ({ pools }: Stage) => pools.map(({ count, points }) => ({ points: count * points }))
  return pointsOf(stages.flatMap((stage) => [...ownQuestions(stage), ...drawn(stage)]))
}

/** pointsOf adds the points of questions or criteria. */
export function pointsOf(list: { points: number }[]): number {
  return Math.round(list.reduce((sum, { points }) => sum + points, 0) * 100) / 100
}

export function setSetting<F extends keyof Settings>(doc: Doc, field: F, value: Settings[F]): Doc {
  return { ...doc, settings: { ...doc.settings, [field]: value } }
}

/** withStage returns the document with one stage changed. */
export function withStage(doc: Doc, key: string, change: (stage: Stage) => Stage): Doc {
  return { ...doc, stages: doc.stages.map((stage) => (stage.key === key ? change(stage) : stage)) }
}

export function setStage(doc: Doc, key: string, change: Partial<Stage>): Doc {
  return withStage(doc, key, (stage) => ({ ...stage, ...change }))
}

export function insertStage(doc: Doc, index: number, stage: Stage): Doc {
  return { ...doc, stages: inserted(doc.stages, index, [stage]) }
}

export function deleteStage(doc: Doc, key: string): Doc {
  return { ...doc, stages: doc.stages.filter((stage) => stage.key !== key) }
}

/** moveStage moves a stage by one place, or returns the same document at the ends. */
export function moveStage(doc: Doc, key: string, by: 1 | -1): Doc {
  const from = doc.stages.findIndex((stage) => stage.key === key)
  const stages = moved(doc.stages, from, from + by)
  return stages === doc.stages ? doc : { ...doc, stages }
}

/** placeStage moves a stage to an index, counted without the stage itself. */
export function placeStage(doc: Doc, key: string, index: number): Doc {
  const stages = moved(doc.stages, doc.stages.findIndex((stage) => stage.key === key), index)
  return stages === doc.stages ? doc : { ...doc, stages }
}

function withQuestion(doc: Doc, key: string, change: (question: Question) => Question): Doc {
  const stage = stageOf(doc, key)
  if (!stage) return doc
  return withStage(doc, stage.key, (stage) => ({
    ...stage,
    questions: stage.questions.map((question) => (question.key === key ? change(question) : question)),
  }))
}

export function setQuestion(doc: Doc, key: string, change: Partial<Question>): Doc {
  return withQuestion(doc, key, (question) => ({ ...question, ...change }))
}

export function insertQuestions(doc: Doc, stageKey: string, index: number, questions: Question[]): Doc {
  return withStage(doc, stageKey, (stage) => ({ ...stage, questions: inserted(stage.questions, index, questions) }))
}

export function deleteQuestion(doc: Doc, key: string): Doc {
  const stage = stageOf(doc, key)
  if (!stage) return doc
  return setStage(doc, stage.key, { questions: stage.questions.filter((question) => question.key !== key) })
}

/** What makes a question one of the assessment alone. */
export const detached = { bankQuestionId: null, bankVersion: null }

/** copyQuestion returns a copy with a key of its own. An assessment includes a question of the bank only once. */
export function copyQuestion(question: Question): Question {
  return { ...question, ...detached, key: newKey() }
}

/** placeQuestion moves a question to an index of a stage, counted without the question itself. */
export function placeQuestion(doc: Doc, key: string, stageKey: string, index: number): Doc {
  const from = stageOf(doc, key)
  const question = questionOf(doc, key)
  if (!from || !question || !doc.stages.some((stage) => stage.key === stageKey)) return doc
  if (from.key === stageKey && from.questions.indexOf(question) === index) return doc
  return insertQuestions(deleteQuestion(doc, key), stageKey, index, [question])
}

/** moveQuestion moves a question by one place. At the end of its stage, it goes to the next stage. */
export function moveQuestion(doc: Doc, key: string, by: 1 | -1): Doc {
  const stage = stageOf(doc, key)
  if (!stage) return doc
  const index = stage.questions.findIndex((question) => question.key === key)
  const next = index + by
  if (next >= 0 && next < stage.questions.length) return placeQuestion(doc, key, stage.key, next)
  const other = doc.stages[doc.stages.indexOf(stage) + by]
  return other ? placeQuestion(doc, key, other.key, by === 1 ? 0 : other.questions.length) : doc
}

/** insertOption adds an option at an index. Its id is the first free letter. */
export function insertOption(doc: Doc, key: string, index: number, text = ''): Doc {
  return withQuestion(doc, key, (question) => {
    const option = { id: freeId(question.options), text }
    return { ...question, options: inserted(question.options, index, [option]) }
  })
}

/** freeId returns the first letter that no item of the list has as its id. */
export function freeId(list: { id: string }[]): string {
  const used = new Set(list.map(({ id }) => id))
  for (let i = 0; ; i++) {
    const id = i < 26 ? String.fromCharCode(97 + i) : `o${i}`
    if (!used.has(id)) return id
  }
}

export function setOption(doc: Doc, key: string, id: string, text: string): Doc {
  return withQuestion(doc, key, (question) => ({
    ...question,
    options: question.options.map((option) => (option.id === id ? { ...option, text } : option)),
  }))
}

export function deleteOption(doc: Doc, key: string, id: string): Doc {
  return withQuestion(doc, key, (question) => ({
    ...question,
    options: question.options.filter((option) => option.id !== id),
    correct: question.correct.filter((correct) => correct !== id),
  }))
}

export function moveOption(doc: Doc, key: string, id: string, to: number): Doc {
  const question = questionOf(doc, key)
  if (!question) return doc
  const options = moved(question.options, question.options.findIndex((option) => option.id === id), to)
  return options === question.options ? doc : setQuestion(doc, key, { options })
}

/** setCorrect marks an option. A question with a single choice has one at most. */
export function setCorrect(doc: Doc, key: string, id: string, isCorrect: boolean): Doc {
  return withQuestion(doc, key, (question) => {
    if (question.type === 'SINGLE_CHOICE') return { ...question, correct: isCorrect ? [id] : [] }
    const chosen = new Set(question.correct)
    if (isCorrect) chosen.add(id)
    else chosen.delete(id)
    return { ...question, correct: question.options.map((option) => option.id).filter((option) => chosen.has(option)) }
  })
}

export function inserted<T>(list: T[], index: number, items: T[]): T[] {
  return [...list.slice(0, index), ...items, ...list.slice(index)]
}

/** moved returns the same list if the item cannot be moved there. */
export function moved<T>(list: T[], from: number, to: number): T[] {
  if (from < 0 || to < 0 || to >= list.length || from === to) return list
  const next = [...list]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}
