// The facts about a session.
import type { ComponentChildren } from 'preact'
import { Fragment } from 'preact'
import { text } from '../../shared/i18n.tsx'
import { mailto } from '../../shared/mailto.ts'
import type { Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { number, percent } from '../core/figures.ts'
import { endOfStart, When } from '../core/formats.tsx'
import { to } from '../core/url.ts'
import { isLive } from './status.tsx'

type Session = Schemas['CandidateSession']
type Fact = [label: string, value: ComponentChildren]

export function Details({ session }: { session: Session }) {
  return (
    <section class="card">
      <h2>{text('candidate.details.title')}</h2>
      <dl class="facts-list candidate-facts">
        {factsOf(session).map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

function factsOf(session: Session): Fact[] {
  const { candidateEmail, externalId, erasedAt, attempt, extraTimePercent, deadlineAt, metadata } = session
  const time = (label: string, at: string | null): Fact[] => (at ? [[label, <When at={at} />]] : [])
  return [
    ...(erasedAt
      ? []
      : ([
          [text('candidate.details.email'), <Email address={candidateEmail} />],
          ...(externalId ? [[text('candidate.details.externalId'), <code>{externalId}</code>]] : []),
        ] as Fact[])),
    [text('candidate.details.attempt'), attemptOf(attempt, session)],
    ...(isLive(session) || session.email.status !== 'NONE'
      ? [[text('candidate.details.invite'), emailOf(session)] as Fact]
      : []),
    ...time(text('candidate.details.invitedAt'), session.invitedAt),
    ...time(text('candidate.details.startFrom'), session.startFrom),
    ...(session.status === 'INVITED' ? time(text('candidate.details.expiresAt'), endOfStart(session)) : []),
    ...time(text('candidate.details.startedAt'), session.startedAt),
    ...(session.status === 'IN_PROGRESS' ? time(text('candidate.details.deadlineAt'), deadlineAt) : []),
    ...time(text('candidate.details.finishedAt'), session.completedAt ?? session.disqualifiedAt),
    ...time(text('candidate.details.cancelledAt'), session.cancelledAt),
    ...(extraTimePercent > 0 ? [[text('candidate.details.extraTime'), percent(extraTimePercent)] as Fact] : []),
    ...Object.entries(metadata).map(factOf),
  ]
}

/** factOf says in words that the candidate has come by a registration link, which the server notes in the metadata. */
const factOf = ([name, value]: [string, string]): Fact =>
  name === 'source' && value === 'registration'
    ? [text('candidate.details.source'), text('candidate.details.registered')]
    : [name, value]

function attemptOf(attempt: number, { assessmentId, candidateEmail, erasedAt }: Session): ComponentChildren {
  if (attempt === 1 || erasedAt) return number(attempt)
  return <a href={to(`/assessments/${assessmentId}/candidates`, { q: candidateEmail })}>{number(attempt)}</a>
}

function emailOf({ email }: Session): ComponentChildren {
  const key = `candidate.email.${email.status}`
  const words = hasText(key) ? text(key) : email.status
  return (
    <>
      {words}
      {email.sentAt && (
        <span class="small muted block">
          <When at={email.sentAt} isRelative />
        </span>
      )}
    </>
  )
}

/** Email breaks a long address before the @, if it can. */
function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  return (
    <a href={mailto(address)}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </a>
  )
}
