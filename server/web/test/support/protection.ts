// Data about people who have asked for them, legal holds, and a retention.
import type { Page } from 'playwright-core'
import { ok, organization, type Organization } from './api.ts'
import { answer } from './network.ts'
import { allBut, kitchen, work } from './results.ts'

export const email = 'mei@candidate.example'

export interface Protected {
  made: Organization
  assessmentId: string
  /** Finished, and not held. */
  free: string
  /** Under a legal hold. */
  held: string
}

/** protectedPerson makes a person with two sessions, of which one is under a legal hold. */
export async function protectedPerson(): Promise<Protected> {
  const made = await organization({ timeZone: 'Europe/Berlin' })
  const assessmentId = await made.publish(kitchen)
  const other = await made.publish({ ...kitchen, title: 'Head chef' })
  const [free, held] = [
    await made.invite(assessmentId, { candidateEmail: email }),
    await made.invite(other, { candidateEmail: email }),
  ]
  await work(free, kitchen, allBut(2))
  await hold(made, { sessionId: held.sessionId }, 'Claim 14-220 before the labour court')
  return { made, assessmentId, free: free.sessionId, held: held.sessionId }
}

export function hold(made: Organization, of: { sessionId: string } | { assessmentId: string }, reason: string) {
  return ok(made.api.POST('/v1/legal-holds', { body: { ...of, reason } }))
}

const requestId = 'req_01m6gagea5f23rz6arqmjfkxcm'

/** countSessions answers a preview, because no session of a test is a month old. */
export const countSessions = (page: Page, counts: object = {}) =>
  answer(page, '/v1/retention/preview', {
    status: 200,
    requestId,
    data: { now: 120, soon: 14, held: 3, oldestEndedAt: '2024-02-01T10:00:00.000Z', limited: false, ...counts },
  })
