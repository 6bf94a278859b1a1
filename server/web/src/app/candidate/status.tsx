// The status of a candidate session in words.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'

type Session = Pick<Schemas['CandidateSession'], 'status' | 'passed'>

const kinds: Record<string, string> = { DISQUALIFIED: 'warn', IN_PROGRESS: 'info', IN_REVIEW: 'waits' }

/** SessionTag says more than the status: whether the candidate passed. */
export function SessionTag({ status, passed }: Session) {
  if (status === 'COMPLETED' && passed !== null) {
    return <span class={passed ? 'tag good' : 'tag'}>{text(passed ? 'candidate.passed' : 'candidate.notPassed')}</span>
  }
  const key = `candidate.status.${status}`
  return <span class={`tag ${kinds[status] ?? ''}`}>{hasText(key) ? text(key) : status}</span>
}

/** isLive reports whether the session can still change by what the candidate does. */
export const isLive = ({ status }: { status: string }) => status === 'INVITED' || status === 'IN_PROGRESS'

/** hasResult reports whether the session has a result. */
export const hasResult = ({ status }: { status: string }) => status === 'COMPLETED' || status === 'DISQUALIFIED'
