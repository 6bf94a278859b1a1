// The status of a session in words.
import { text } from '../../shared/i18n.tsx'
import { hasText } from '../core/faults.ts'
import type { Session } from './sessions.ts'

const kinds: Record<string, string> = { DISQUALIFIED: 'tag warn', IN_PROGRESS: 'tag info', IN_REVIEW: 'tag waits' }

export function statusText(status: string): string {
  const key = `candidates.status.${status}`
  return hasText(key) ? text(key) : status
}

/** StatusTag says of a finished session whether the candidate passed. */
export function StatusTag({ status, passed }: Pick<Session, 'status' | 'passed'>) {
  if (status === 'COMPLETED' && passed !== null) {
    return <span class={passed ? 'tag good' : 'tag'}>{text(passed ? 'candidates.passed' : 'candidates.notPassed')}</span>
  }
  return <span class={kinds[status] ?? 'tag'}>{statusText(status)}</span>
}

/** canCancel reports whether the session has not ended. */
export const canCancel = ({ status }: Session) => ['INVITED', 'IN_PROGRESS', 'IN_REVIEW'].includes(status)
export const canResend = ({ status, test }: Session) => !test && (status === 'INVITED' || status === 'EXPIRED')
export const hasResult = ({ status }: Session) => status === 'COMPLETED' || status === 'DISQUALIFIED'

/** hasRegistered reports whether the candidate came by a registration link, which the server notes in the metadata. */
export const hasRegistered = ({ metadata }: Session) => metadata.source === 'registration'

/** nameOf returns the name of the candidate, unless it was erased. */
export function nameOf({ erasedAt, candidateName }: Pick<Session, 'erasedAt' | 'candidateName'>): string {
  return erasedAt ? text('candidates.erased') : candidateName
}
