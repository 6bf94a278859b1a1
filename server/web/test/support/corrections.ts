// An assessment whose published key is wrong, and candidates who have taken it.
import { eventually, ok, type Assessment, type Organization } from './api.ts'
import { counted, finished, kitchen, names } from './results.ts'

/**
 * The kitchen assessment, in which the digits of a number were swapped. So 0 candidates get it right. With the right
 * key, three more pass, and three more pass the first gate.
 */
export const mistaken: Assessment = {
  ...kitchen,
  passingScore: 75,
  stages: kitchen.stages!.map((stage, i) => ({
    ...stage,
    ...(i === 0 && { gate: { required: true, minScore: 30 } }),
    questions: stage.questions!.map((question) => (question.type === 'NUMERIC' && question.answer === 74 ? { ...question, answer: 47 } : question)),
  })),
}

export interface Mistaken {
  id: string
  questionId: string
  /** Sessions in the order of names. */
  sessionIds: string[]
}

/** Publishes the assessment. All candidates answer as if the key were right, and none gets the points. */
export async function withWrongKey(organization: Organization, assessment: Assessment = mistaken): Promise<Mistaken> {
  const { api } = organization
  const id = await organization.publish(assessment)
  const done = await finished(organization, id, names.length, kitchen)
  await counted(organization, id, names.length)
  const path = { params: { path: { id } } }
  const { questions } = await eventually(
    () => ok(api.GET('/v1/assessments/{id}/statistics/questions', path)),
    ({ questions }) => questions.some(({ keySuspicions }) => keySuspicions.length > 0),
    20_000,
    500,
  )
  const question = questions.find(({ type, order }) => type === 'NUMERIC' && order === 3)!
  return { id, questionId: question.id, sessionIds: done.map(({ sessionId }) => sessionId) }
}

/** Waits until all corrections of the assessment are applied. */
export function applied({ api }: Organization, id: string) {
  return eventually(
    () => ok(api.GET('/v1/assessments/{id}/corrections', { params: { path: { id } } })),
    (corrections) => corrections.every(({ appliedAt }) => appliedAt !== null),
    20_000,
    500,
  )
}
