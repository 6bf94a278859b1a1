// What a person must decide about a session, and the earlier decisions about its gates.
import { ask, v1, type Schemas } from '../core/api.ts'
import { useQuery, type Query } from '../core/query.ts'

export type OpenDecision = Schemas['OpenDecision']

export function useOpenDecision({ id, updatedAt }: { id: string; updatedAt: string }): Query<OpenDecision> {
  return useQuery(`/v1/candidate-sessions/${id}/open-decision ${updatedAt}`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}/open-decision', { params: { path: { id } } })),
  )
}
