// The states that the organization gives to candidates, in the list.
import { ask, v1, type Schemas } from '../core/api.ts'
import { useQuery } from '../core/query.ts'
import { stateName } from '../core/review_state.ts'

let asked: ReturnType<typeof askStates> | undefined

const askStates = () => ask(v1.GET('/v1/review-states'))

/** Each row of a list shows a state. Rows that appear at the same time share a request. */
export function useStates(): Schemas['ReviewState'][] {
  const load = () => (asked ??= askStates().finally(() => (asked = undefined)))
  return useQuery('/v1/review-states', load).data?.states ?? []
}

/** isInState reports whether a person has put the candidate into a state. The first state has no tag. */
export const isInState = (id: string | null): id is string => id !== null && id !== 'new'

export function StateTag({ id }: { id: string | null }) {
  const state = useStates().find((one) => one.id === id)
  if (!state || !isInState(id)) return null
  return (
    <span class="tag" translate={false}>
      {stateName(state)}
    </span>
  )
}
