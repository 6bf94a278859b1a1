// What a person must decide about a session, and the earlier decisions about its gates.
import { ask, v1, type Schemas } from '../core/api.ts'
import { useQuery, type Query } from '../core/query.ts'

export type OpenDecision = Schemas['OpenDecision']

/** `every` is for a session in review, because a colleague's grade does not change the session. */
export function useOpenDecision(
  { id, updatedAt }: Pick<Schemas['CandidateSession'], 'id' | 'updatedAt'>,
  options: { every?: number } = {},
): Query<OpenDecision> {
  return useQuery(
    `/v1/candidate-sessions/${id}/open-decision ${updatedAt}`,
    () => ask(v1.GET('/v1/candidate-sessions/{id}/open-decision', { params: { path: { id } } })),
    options,
  )
}
