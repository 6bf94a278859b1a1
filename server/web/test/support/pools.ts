// Questions of the bank that pools draw.
import type { Organization, Schemas } from './api.ts'
import { numeric } from './assessments.ts'
import { bank } from './bank.ts'

/** Adds a question to the bank, and returns its id. */
export const bankId = async (...question: Parameters<typeof bank>): Promise<string> => (await bank(...question)).id

/** Adds questions of 2 points with the tag "food safety", one after the other, and returns their ids. */
export async function banked(made: Organization, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 1; i <= count; i++) {
    const question = { ...numeric, prompt: `Pool question ${i}?`, points: 2 }
    ids.push(await bankId(made, question, ['food safety', 'easy']))
  }
  return ids
}

/** A stage with a question and a pool. */
export const pooled = (more: Partial<Schemas['PoolInput']> = {}): Schemas['StageInput'] => ({
  title: 'Temperatures',
  questions: [numeric],
  pools: [{ title: 'Easy ones', count: 2, tags: ['food safety'], points: 2, ...more }],
})
