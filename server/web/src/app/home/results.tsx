// The results of the last seven days.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { score as shown } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { to } from '../core/url.ts'

type Session = Schemas['CandidateSession']

export function LatestResults({ results }: { results: Schemas['OverviewSessions'] }) {
  return (
    <section class="list home-list" aria-labelledby="home-results">
      <h2 id="home-results">{text('home.results.title')}</h2>
      {results.items.length === 0 ? (
        <p class="home-calm muted">{text('home.results.none')}</p>
      ) : (
        <ul class="home-results">
          {results.items.map((session) => (
            <Result key={session.id} session={session} />
          ))}
        </ul>
      )}
      {results.items.length > 0 && (
        <a class="home-all small" href={to('/candidates', { sort: '-completedAt' })}>
          {text('home.results.all')}
        </a>
      )}
    </section>
  )
}

function Result({ session }: { session: Session }) {
  const { id, candidateName, assessmentTitle, score, passed, completedAt, disqualifiedAt } = session
  const end = completedAt ?? disqualifiedAt
  return (
    <li>
      <a href={to(`/candidates/${id}`)}>
        <span class="title" translate={false}>{candidateName}</span>
        <span class="score">
          {score !== null && (
            <>
              <b>{shown(score)}</b>
              <span class="bar">
                <i style={{ width: `${score}%` }} />
              </span>
            </>
          )}
        </span>
        <span class="muted small">
          {assessmentTitle} · {outcome(passed, disqualifiedAt !== null)}
          {end && <When at={end} isRelative />}
        </span>
      </a>
    </li>
  )
}

function outcome(passed: boolean | null, isDisqualified: boolean): string {
  if (isDisqualified) return `${text('home.result.disqualified')} · `
  if (passed === null) return ''
  return `${passed ? text('home.result.passed') : text('home.result.failed')} · `
}
