// The ratings of the team: one of each person, and the average of all.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { number } from '../core/figures.ts'
import { forget, type Query } from '../core/query.ts'
import { notify } from '../core/notices.tsx'
import { me } from '../core/me.ts'
import { messageOf } from '../core/states.tsx'

type Review = Schemas['Review']

interface Props {
  id: string
  review: Review
  query: Query<Review>
  changed(review: Review): void
}

export function Ratings({ id, review: { rating, ratings }, query, changed }: Props) {
  const own = ratings.find(({ createdBy }) => createdBy.id === me.value!.id)?.rating
  const path = { params: { path: { id } } }
  const rate = async (chosen: number) => {
    const answer = await ask(v1.PUT('/v1/candidate-sessions/{id}/review/rating', { ...path, body: { rating: chosen } }))
    if (!answer.ok) return notify(messageOf(answer.fault))
    changed(answer.data)
  }
  const remove = async () => {
    const answer = await ask(v1.DELETE('/v1/candidate-sessions/{id}/review/rating', path))
    if (!answer.ok) return notify(messageOf(answer.fault))
    forget('/v1/candidate-sessions')
    query.reload()
  }
  const names = ratings.map((one) => `${one.createdBy.name ?? text('candidate.review.somebody')} ${one.rating}`)
  return (
    <div class="review-rating">
      <h3 id="rating">{text('candidate.rating')}</h3>
      <div class="stars" role="group" aria-labelledby="rating">
        {[1, 2, 3, 4, 5].map((value) => (
          <button
            key={value}
            type="button"
            class={value <= (own ?? 0) ? 'is-on' : undefined}
            aria-label={text('candidate.rating.value', { value })}
            aria-pressed={value === own}
            onClick={() => void rate(value)}
          >
            ★
          </button>
        ))}
        {own !== undefined && (
          <button type="button" class="link-button small" onClick={() => void remove()}>
            {text('candidate.rating.remove')}
          </button>
        )}
      </div>
      {rating !== null && (
        <p class="small muted">
          {text('candidate.rating.mean', { count: ratings.length, rating: number(rating, 1) })}{' '}
          <span translate={false}>{names.join(' · ')}</span>
        </p>
      )}
    </div>
  )
}
