// Questions of the bank, for the screens that use them.
import { ok, type Organization, type Schemas } from './api.ts'
import { numeric } from './assessments.ts'

/** Adds a question to the bank, and returns its id. */
export async function bank(
  { api }: Pick<Organization, 'api'>,
  question: Schemas['QuestionInput'],
  tags: string[] = [],
): Promise<string> {
  return (await ok(api.POST('/v1/questions', { body: { question, tags } }))).id
}

/** Adds questions of 2 points with the tag "food safety", one after the other, and returns their ids. */
export async function banked(made: Pick<Organization, 'api'>, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 1; i <= count; i++) {
    ids.push(await bank(made, { ...numeric, prompt: `Pool question ${i}?`, points: 2 }, ['food safety', 'easy']))
  }
  return ids
}

/** A stage with a question and a pool. */
export const pooled = (more: Partial<Schemas['PoolInput']> = {}): Schemas['StageInput'] => ({
  title: 'Temperatures',
  questions: [numeric],
  pools: [{ title: 'Easy ones', count: 2, tags: ['food safety'], points: 2, ...more }],
})
