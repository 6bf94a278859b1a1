// Documents of the editor to and from the contract.
import {
  newKey, newQuestion, same, type Detail, type Doc, type OnFail, type Pool, type Question, type QuestionInput,
  type QuestionType, type Settings, type Stage, type Update,
} from './model.ts'
import { isBlank } from '../../shared/text.ts'

/** The ids of the server by the keys of stages and questions. */
export type Ids = ReadonlyMap<string, string>

/** Returns the document of an assessment. `keyOf` returns the key of an id that is known already. */
export function docOf(detail: Detail, keyOf: (id: string) => string = (id) => id): Doc {
  return {
    settings: settingsOf(detail),
    stages: detail.stages.map((stage) => ({
      key: keyOf(stage.id),
      title: stage.title,
      description: stage.description ?? '',
      timeLimitMinutes: stage.timeLimitMinutes,
      gate: stage.gate && { minScore: stage.gate.minScore, onFail: stage.gate.onFail as OnFail },
      questions: stage.questions.map((question) => ({
        ...questionOfInput(question),
        key: keyOf(question.id),
        bankQuestionId: question.bankQuestionId,
        bankVersion: question.bankVersion,
        poolId: question.poolId,
      })),
      pools: stage.pools.map(({ id, title, count, tags, points, questionCount }) => (
        { key: keyOf(id), title: title ?? '', count, tags, points, questionCount }
      )),
    })),
  }
}

function settingsOf(detail: Detail): Settings {
  return {
    title: detail.title,
    description: detail.description ?? '',
    instructions: detail.instructions ?? '',
    closingMessage: detail.closingMessage ?? '',
    inviteMessage: detail.inviteMessage ?? '',
    passingScore: detail.passingScore,
    timeLimitMinutes: detail.timeLimitMinutes,
    inviteExpiryDays: detail.inviteExpiryDays,
    redirectUrl: detail.redirectUrl ?? '',
    locale: detail.locale ?? '',
    shuffleQuestions: detail.shuffleQuestions,
    shuffleOptions: detail.shuffleOptions,
    opensAt: detail.opensAt ?? '',
    closesAt: detail.closesAt ?? '',
    remindAfterHours: detail.remindAfterHours,
  }
}

/** The fields that a question of a response and a question of a request can have. */
type Fields = {
  type: string
  prompt: string
  points: number
  explanation?: string | null
  options?: { id: string; text: string }[] | null
  correctOptionId?: string | null
  correctOptionIds?: string[] | null
  partialCredit?: boolean | null
  answer?: number | null
  tolerance?: number | null
  acceptedAnswers?: string[] | null
  caseSensitive?: boolean | null
  exactMatch?: boolean | null
  maxWords?: number | null
  rubric?: { id: string; title: string; points: number; description?: string | null }[] | null
}

/** questionOfInput returns a question with a new key. */
export function questionOfInput(input: QuestionInput | Detail['stages'][number]['questions'][number]): Question {
  const fields: Fields = input
  const empty = newQuestion(fields.type as QuestionType)
  const hasOptions = fields.options && (fields.options.length > 0 || fields.type.endsWith('_CHOICE'))
  return {
    ...empty,
    key: newKey(),
    prompt: fields.prompt,
    points: fields.points,
    explanation: fields.explanation ?? '',
    options: hasOptions ? fields.options!.map(({ id, text }) => ({ id, text })) : empty.options,
    correct: fields.correctOptionId ? [fields.correctOptionId] : (fields.correctOptionIds ?? []),
    partialCredit: fields.partialCredit ?? false,
    answer: fields.answer ?? null,
    tolerance: fields.tolerance ?? 0,
    acceptedAnswers: fields.acceptedAnswers?.length ? fields.acceptedAnswers : empty.acceptedAnswers,
    caseSensitive: fields.caseSensitive ?? false,
    exactMatch: fields.exactMatch ?? false,
    maxWords: fields.maxWords ?? null,
    rubric: (fields.rubric ?? []).map(({ id, title, points, description }) => (
      { id, title, points, description: description ?? '' }
    )),
  }
}

/**
 * updateOf returns the fields in which the document differs from what the server has, without those of `held`, which
 * the server has refused. It is undefined if nothing differs. A title without text cannot be saved.
 */
export function updateOf(doc: Doc, base: Doc, ids: Ids, held: ReadonlySet<string> = new Set()): Update | undefined {
  const update: Record<string, unknown> = {}
  for (const field of Object.keys(doc.settings) as (keyof Settings)[]) {
    const value = doc.settings[field]
    if (held.has(field) || same(value, base.settings[field])) continue
    if (field === 'title' && isBlank(doc.settings.title)) continue
    update[field] = value === '' ? null : value
  }
  if (doc.stages !== base.stages) update.stages = doc.stages.map((stage) => stageInput(stage, ids))
  return Object.keys(update).length > 0 ? (update as Update) : undefined
}

function stageInput({ key, title, description, timeLimitMinutes, gate, questions, pools }: Stage, ids: Ids) {
  return {
    ...idOf(key, ids),
    title,
    description: description || null,
    timeLimitMinutes,
    // The contract also requires the field of its first version.
    gate: gate && { required: gate.onFail !== 'CONTINUE', ...gate },
    // Without the field, a question stays a copy of the bank's as long as nothing else differs.
    questions: questions.map((question) => ({ ...questionInput(question, ids), ...bankOf(question) })),
    pools: pools.map((pool) => poolInput(pool, ids)),
  }
}

const bankOf = ({ bankQuestionId }: Question) => (bankQuestionId === undefined ? {} : { bankQuestionId })

const poolInput = ({ key, title, count, tags, points }: Pool, ids: Ids) => (
  { ...idOf(key, ids), title: title.trim() || null, count, tags, points }
)

const idOf = (key: string, ids: Ids) => (ids.has(key) ? { id: ids.get(key)! } : {})

/** questionInput has the fields of the question's type only. Rows without text at the end of a list are not sent. */
export function questionInput(question: Question, ids: Ids): QuestionInput {
  const { key, type, prompt, points, explanation, options, correct } = question
  const common = { ...idOf(key, ids), prompt, points, explanation: explanation || null }
  switch (type) {
    case 'SINGLE_CHOICE':
      return { ...common, type, options, correctOptionId: correct[0] ?? null }
    case 'MULTIPLE_CHOICE':
      return { ...common, type, options, correctOptionIds: correct, partialCredit: question.partialCredit }
    case 'NUMERIC':
      return { ...common, type, answer: question.answer, tolerance: question.tolerance }
    case 'SHORT_TEXT': {
      const { caseSensitive, exactMatch } = question
      return { ...common, type, acceptedAnswers: answersOf(question), caseSensitive, exactMatch }
    }
    case 'FREE_TEXT': {
      const rubric = question.rubric.map((criterion) => ({ ...criterion, description: criterion.description || null }))
      return { ...common, type, maxWords: question.maxWords, rubric }
    }
  }
}

/** The only row of a new question is not an answer. */
function answersOf({ acceptedAnswers }: Question): string[] {
  return acceptedAnswers.length === 1 && isBlank(acceptedAnswers[0]!) ? [] : acceptedAnswers
}

/** isSameContent reports whether two documents are the same for the server, whatever their keys are. */
export function isSameContent(a: Doc, b: Doc): boolean {
  // The bank decides what its questions contain, so the server can have saved another content than was sent.
  const content = ({ settings, stages }: Doc) => [
    settings,
    stages.map((stage) => ({
      ...stageInput({ ...stage, questions: [] }, new Map()),
      questions: stage.questions.map((question) =>
        question.bankQuestionId || { ...questionInput(question, new Map()), bankQuestionId: null }),
    })),
  ]
  return same(content(a), content(b))
}

/** idsOf returns the ids of a response to a request with this document, by position. */
export function idsOf(doc: Doc, detail: Detail): Ids {
  const ids = new Map<string, string>()
  doc.stages.forEach((stage, i) => {
    const saved = detail.stages[i]
    if (!saved) return
    ids.set(stage.key, saved.id)
    stage.questions.forEach((question, j) => {
      const id = saved.questions[j]?.id
      if (id) ids.set(question.key, id)
    })
    stage.pools.forEach(({ key }, j) => {
      const id = saved.pools[j]?.id
      if (id) ids.set(key, id)
    })
  })
  return ids
}
