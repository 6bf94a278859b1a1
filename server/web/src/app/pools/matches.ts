// The questions of the bank that a pool selects at present.
import { ask, cursorOf, v1, type Answer, type Schemas } from '../core/api.ts'
import { useQuery } from '../core/query.ts'
import { ownQuestions, type Doc, type Pool } from '../editor/model.ts'

export type Summary = Schemas['BankQuestionSummary']

/** An assessment has at most so many questions, so no more are read. */
const most = 500
const pageSize = 100

export interface Matches {
  questions: Summary[]
  /** The ids of those with other points than the pool. */
  others: Set<string>
  isStale: boolean
}

interface Options {
  isWanted?: boolean
  /** Asks again after so many milliseconds. */
  every?: number
}

/** useMatches returns what matches, or undefined while it is not known. Without tags, nothing is asked. */
export function useMatches(doc: Doc, pool: Pool, { isWanted = true, ...options }: Options = {}): Matches | undefined {
  const { tags, points } = pool
  // Every candidate gets the questions of the stages, so they are in no pool.
  const included = includedIn(doc)
  // A question that was saved to the bank meanwhile is another that is included, and is read then.
  const key = tags.length > 0 && isWanted ? `/v1/questions#${JSON.stringify([tags, included.size])}` : undefined
  const query = useQuery(key, () => readAll(tags), options)
  if (!isWanted) return undefined
  if (tags.length === 0) return { questions: [], others: new Set(), isStale: false }
  if (!query.data) return undefined
  const questions = query.data.filter(({ id }) => !included.has(id))
  const others = new Set(questions.filter((question) => question.points !== points).map(({ id }) => id))
  return { questions, others, isStale: query.isStale }
}

/** includedIn returns the ids of the questions of the bank that the author has put into the stages. */
export function includedIn({ stages }: Doc): ReadonlySet<string | null | undefined> {
  return new Set(stages.flatMap(ownQuestions).map(({ bankQuestionId }) => bankQuestionId))
}

async function readAll(tags: string[]): Promise<Answer<Summary[]>> {
  const all: Summary[] = []
  let after: string | undefined
  for (;;) {
    const query = { tag: tags, limit: pageSize, ...(after && { after }) }
    const answer = await ask(v1.GET('/v1/questions', { params: { query } }))
    if (!answer.ok) return answer
    all.push(...answer.data)
    after = cursorOf(answer.response)
    if (!after || all.length > most) return { ...answer, data: all }
  }
}
