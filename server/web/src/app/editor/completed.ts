// Documents that a tab with an earlier version of this page has kept.
import { newQuestion, type Doc, type Gate, type Pool, type Question, type Stage } from './model.ts'

/** Steps share their stages. What they share stays shared, because equal parts are found by their identity. */
const known = new WeakMap<object, unknown>()

function once<T extends object>(value: T, make: (value: T) => T): T {
  if (!known.has(value)) known.set(value, make(value))
  return known.get(value) as T
}

/** completed adds the fields that the document lacks. `poolsOf` has the pools of the server by the keys of stages. */
export function completed(doc: Doc, poolsOf: ReadonlyMap<string, Pool[]> = new Map()): Doc {
  const complete = (stage: Stage) => completedStage(stage, poolsOf.get(stage.key) ?? [])
  const stages = once(doc.stages, (stages) => stages.map((stage) => once(stage, complete)))
  return { ...doc, stages }
}

function completedStage(stage: Stage, pools: Pool[]): Stage {
  return {
    ...stage,
    pools: stage.pools ?? pools,
    gate: stage.gate && completedGate(stage.gate),
    questions: stage.questions.map((question) => once(question, completedQuestion)),
  }
}

/** The server knows whether the question is one of the bank, so the field stays away if the document lacks it. */
const completedQuestion = (question: Question): Question => (
  { ...newQuestion(question.type), ...question, bankQuestionId: question.bankQuestionId }
)

/** The gate of an earlier version says only whether it stops candidates. */
function completedGate({ minScore, onFail, required }: Gate & { required?: boolean }): Gate {
  return { minScore, onFail: onFail ?? (required === false ? 'CONTINUE' : 'DISQUALIFY') }
}
