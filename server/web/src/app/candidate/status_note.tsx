// What the status of a session means, and what to do.
import type { ComponentChildren } from 'preact'
import { rich, text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { endOfStart, When } from '../core/formats.tsx'
import { Icon, type IconName } from '../core/icons.tsx'
import { emailFailure } from './email_failure.ts'

type Session = Schemas['CandidateSession']

export function StatusNote({ session }: { session: Session }) {
  const { erasedAt, test } = session
  return (
    <>
      {erasedAt && <Note icon="trash">{rich('candidate.note.erased', { when: <When at={erasedAt} /> })}</Note>}
      {test && <Note icon="play">{text('candidate.note.test')}</Note>}
      <OfStatus session={session} />
      <OfEmail session={session} />
    </>
  )
}

function OfStatus({ session }: { session: Session }) {
  const { status, expiresAt, cancelledAt, closeReason, erasedAt } = session
  switch (status) {
    case 'INVITED':
      if (!canStart(session)) {
        return (
          <Note icon="clock" kind="warn">
            {session.startUntil
              ? rich('candidate.note.closed', { when: <When at={session.startUntil} isRelative /> })
              : text('candidate.note.never')}
          </Note>
        )
      }
      if (session.startFrom && Date.parse(session.startFrom) > Date.now()) {
        const times = { from: <When at={session.startFrom} />, until: <When at={endOfStart(session)} /> }
        return <Note icon="clock">{rich('candidate.note.early', times)}</Note>
      }
      return <Note icon="clock">{rich('candidate.note.invited', { when: <When at={endOfStart(session)} isRelative /> })}</Note>
    case 'EXPIRED':
      return (
        <Note icon="clock" kind="warn">
          {rich(erasedAt ? 'candidate.note.expiredOnly' : 'candidate.note.expired', {
            when: <When at={expiresAt} isRelative />,
          })}
        </Note>
      )
    case 'CANCELLED':
      return (
        <Note icon="close">
          {rich('candidate.note.cancelled', { when: <When at={cancelledAt ?? expiresAt} isRelative /> })}
        </Note>
      )
    case 'DISQUALIFIED':
      return (
        <Note icon="flag" kind="warn">
          {text('candidate.note.disqualified')}
        </Note>
      )
    default:
      if (closeReason !== 'TIME_EXPIRED') return null
      return <Note icon="clock">{text('candidate.note.timeExpired')}</Note>
  }
}

/** canStart reports whether an invited candidate can start now or later. */
function canStart({ startUntil }: Session): boolean {
  return startUntil !== null && Date.parse(startUntil) > Date.now()
}

function OfEmail({ session: { email, status, candidateEmail } }: { session: Session }) {
  if (status !== 'INVITED' || !email.failure) return null
  // Another address helps unless this one was not tried.
  const isTried = !email.failureCode || email.failureCode === 'recipient_refused'
  const failed = isTried ? 'candidate.email.failedNote' : 'candidate.email.withheldNote'
  const key = email.status === 'FAILED' ? failed : 'candidate.email.retryNote'
  return (
    <Note icon="mail" kind={email.status === 'FAILED' ? 'bad' : 'warn'}>
      {text(key, { email: candidateEmail })} <span class="small">{emailFailure(email)}</span>
    </Note>
  )
}

export function Note({ icon, kind, children }: { icon: IconName; kind?: 'warn' | 'bad'; children: ComponentChildren }) {
  return (
    <div class={`note candidate-note ${kind ?? ''}`}>
      <Icon name={icon} />
      <p>{children}</p>
    </div>
  )
}
