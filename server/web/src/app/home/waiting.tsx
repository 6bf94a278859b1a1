// The candidates who wait for a person: answers must be graded, or a failed gate must be decided.
import { rich, text, Verbatim } from '../../shared/i18n.tsx'
import { ask, cursorOf, v1, type Answer, type Schemas } from '../core/api.ts'
import { number } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { useQuery } from '../core/query.ts'
import { to } from '../core/url.ts'

type Session = Schemas['CandidateSession']

interface Found {
  sessions: Session[]
  /** Whether there are more. */
  hasMore: boolean
}

const shown = 5
/** The most sessions that are read, and the most requests: a page can be empty although another one follows. */
const limit = 100
const maxRequests = 5

/** readWaiting reads the sessions in review, oldest first. A session that was graded in part comes later in the list. */
async function readWaiting(): Promise<Answer<Found>> {
  const sessions: Session[] = []
  let after: string | undefined
  for (let requests = 1; ; requests++) {
    const query = { status: ['IN_REVIEW' as const], sort: 'updatedAt' as const, limit: limit - sessions.length, ...(after && { after }) }
    const answer = await ask(v1.GET('/v1/candidate-sessions', { params: { query } }))
    if (!answer.ok) return answer
    sessions.push(...answer.data)
    after = cursorOf(answer.response)
    if (after && sessions.length < limit && requests < maxRequests) continue
    const at = ({ inReviewSince, updatedAt }: Session) => Date.parse(inReviewSince ?? updatedAt)
    return { ...answer, data: { sessions: sessions.sort((a, b) => at(a) - at(b)), hasMore: after !== undefined } }
  }
}

export const useWaiting = (every: number) => useQuery('/v1/candidate-sessions#waiting', readWaiting, { every })

export function Waiting({ sessions, hasMore }: Found) {
  if (sessions.length === 0) return null
  const count = sessions.length
  const since = sessions[0]!.inReviewSince
  return (
    <section class="list home-list home-waiting" aria-labelledby="home-waiting">
      <h2 id="home-waiting">
        {text('home.waiting.title')} <span class="tag waits">{hasMore ? `${number(count)}+` : number(count)}</span>
      </h2>
      {since && <p class="small muted">{rich('home.waiting.oldest', { when: <When at={since} isRelative /> })}</p>}
      <ul>
        {sessions.slice(0, shown).map(({ id, candidateName, assessmentTitle, inReviewSince }) => (
          <li key={id}>
            <a href={to(`/candidates/${id}`)}>
              <span class="title">
                <Verbatim>{candidateName}</Verbatim>
              </span>
              <span class="muted small">
                {assessmentTitle}
                {inReviewSince && (
                  <>
                    {' · '}
                    {rich('home.waiting.since', { when: <When at={inReviewSince} isRelative /> })}
                  </>
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {(hasMore || count > shown) && (
        <a class="home-all small" href={to('/candidates', { status: 'IN_REVIEW', sort: 'updatedAt' })}>
          {text('home.showAll', { total: hasMore ? `${number(count)}+` : number(count) })}
        </a>
      )}
    </section>
  )
}
