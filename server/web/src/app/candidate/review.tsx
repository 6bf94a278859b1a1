// What the team has decided and said about the candidate: the state, and comments. The candidate does not see it.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { useDraft } from '../core/drafts.ts'
import { forget, useQuery } from '../core/query.ts'
import { stateName } from '../core/review_state.ts'
import { Loaded } from '../core/states.tsx'
import type { Change, StateProps } from './change_state.tsx'
import { Comments } from './comments.tsx'
import { PlannedEmail } from './lazy.ts'
import { ChangeState } from './lazy_dialogs.ts'
import { Ratings } from './ratings.tsx'
import { SetBy } from './set_by.tsx'
import { Tags } from './tags.tsx'

type Review = Schemas['Review']
type Session = Schemas['CandidateSession']

interface Props {
  session: Session
  /** Takes the session after a change of its note. */
  done(session: Session): void
  reload(): void
}

export function ReviewCard({ session, done, reload }: Props) {
  const { id } = session
  const query = useQuery(
    `/v1/candidate-sessions/${id}/review`,
    () => ask(v1.GET('/v1/candidate-sessions/{id}/review', { params: { path: { id } } })),
    { every: 15_000 }, // colleagues comment, too
  )
  const changed = (review: Review) => {
    forget('/v1/candidate-sessions')
    query.set(review)
    reload()
  }
  return (
    <section class="card no-print review">
      <h2>{text('candidate.review.title')}</h2>
      <p class="small muted">{text('candidate.review.hidden')}</p>
      <Loaded query={query}>
        {(review) => (
          <>
            <State
              review={review}
              session={session}
              query={query}
              changed={changed}
              reload={() => {
                query.reload()
                reload()
              }}
            />
            {!session.erasedAt && <Ratings id={id} review={review} query={query} changed={changed} />}
            {!session.erasedAt && <Tags id={id} tags={review.tags} changed={changed} />}
            <Comments session={session} comments={review.comments} reload={query.reload} done={done} />
          </>
        )}
      </Loaded>
    </section>
  )
}

/** State shows the state of the candidate, and asks for a reason before it sets another state. */
function State({ review, session, query, changed, reload }: StateProps) {
  const { id, erasedAt } = session
  const states = useQuery('/v1/review-states', () => ask(v1.GET('/v1/review-states')))
  const draft = useDraft<Change>('state', () => ({ reason: '' }))
  const { other, reason } = draft.value
  const chosen = other ?? review.state.id
  const [last] = review.changes
  const options = [...(states.data?.states ?? [])].filter((state) => !state.archived || state.id === review.state.id)
  if (!options.some((state) => state.id === review.state.id)) options.unshift(review.state)
  return (
    <div class="review-state">
      <label for="review-state">{text('candidate.review.state')}</label>
      <select
        id="review-state"
        class="field"
        value={chosen}
        disabled={erasedAt !== null}
        onChange={(event) => draft.set({ other: event.currentTarget.value, reason })}
      >
        {options.map((state) => (
          <option key={state.id} value={state.id}>
            {stateName(state)}
          </option>
        ))}
      </select>
      {chosen === review.state.id ? (
        last && (
          <>
            <SetBy change={last} />
            {last.email && <PlannedEmail id={id} email={last.email} reload={reload} />}
          </>
        )
      ) : (
        <ChangeState
          review={review}
          session={session}
          draft={draft}
          stateId={chosen}
          query={query}
          changed={changed}
        />
      )}
    </div>
  )
}
