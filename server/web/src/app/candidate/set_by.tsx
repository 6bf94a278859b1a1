// Who has put the candidate into its state, and when.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import { stateName } from '../core/review_state.ts'

export function SetBy({ change: { to, createdBy, createdAt } }: { change: Schemas['ReviewChange'] }) {
  const name = createdBy.name ?? text('candidate.review.somebody')
  return (
    <p class="small muted">
      {text('candidate.review.by', { state: stateName(to), name })} <When at={createdAt} isRelative />
    </p>
  )
}
