// The results to compare, and why some candidates have none.
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { useQuery, type Query } from '../core/query.ts'

type Result = Schemas['Result']
type Session = Schemas['CandidateSession']

/** More candidates do not fit beside each other. */
export const most = 5

export interface Row {
  id: string
  /** Undefined if there is no such session. */
  name: string | undefined
  result: Result | null
  session: Session | undefined
}

export type Labelled = Row & { label: string }
export type Finished = Labelled & { result: Result }

/** useRows reads the results in the order of the ids, or nothing without ids. */
export function useRows(ids: string[]): Query<Row[]> {
  return useQuery(ids.length > 0 ? `/v1/results/batch ${ids.join()}` : undefined, () => load(ids), { every: 30_000 })
}

async function load(ids: string[]): Promise<Answer<Row[]>> {
  const answer = await ask(v1.POST('/v1/results/batch', { body: { sessionIds: ids } }))
  if (!answer.ok) return answer
  const rows = await Promise.all(
    answer.data.map(async ({ sessionId: id, result }): Promise<Row> => {
      // A result has no state and no rating, and the batch does not name candidates without a result.
      const found = await ask(v1.GET('/v1/candidate-sessions/{id}', { params: { path: { id } } }))
      const session = found.ok ? found.data : undefined
      return { id, result, name: result?.candidate.name ?? session?.candidateName, session }
    }),
  )
  return { ...answer, data: rows }
}
