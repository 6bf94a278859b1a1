// Sends invites in batches. What was not sent survives a closed tab, and can be continued without a second invite.
import type { Schemas } from '../core/api.ts'
import { ask, v1, type Fault } from '../core/api.ts'
import { endOfStart } from '../core/formats.tsx'
import { newKey } from '../core/keys.ts'
import { get, put } from '../storage/storage.ts'
import type { Invite } from './candidates.ts'
import { batchSize } from './check.ts'

export interface Batch {
  /** For Idempotency-Key, so that a repeated request does not invite a candidate twice. */
  key: string
  rows: Invite[]
  /** Whether its outcome was known before an interruption. */
  isSent?: boolean
}

/** What is known of a candidate after the request. */
export interface Outcome {
  name: string
  email: string
  externalId: string | undefined
  outcome: 'CREATED' | 'EXISTING' | 'FAILED'
  link: string | null
  expiresAt: string | undefined
  error: Schemas['BulkError'] | null
}

export interface Job {
  assessmentId: string
  assessmentTitle: string
  sendEmail: boolean
  /** How many rows of the check are not invited, besides those whose invite is open. */
  leftOut?: { before: number; other: number }
  startedAt: number
  /** The batches whose outcome is known. */
  sent: Batch[]
  /** The batches whose outcome is not known to this page. */
  waiting: Batch[]
  /** The outcomes of rows that are not sent. */
  known: Outcome[]
  outcomes: Outcome[]
}

export function jobOf(invites: Invite[], known: Outcome[], more: Pick<Job, 'assessmentId' | 'assessmentTitle' | 'sendEmail' | 'leftOut'>): Job {
  const waiting: Batch[] = []
  for (let first = 0; first < invites.length; first += batchSize) {
    waiting.push({ key: newKey(), rows: invites.slice(first, first + batchSize) })
  }
  return { ...more, startedAt: Date.now(), sent: [], waiting, known, outcomes: known }
}

export const leftOf = ({ waiting }: Job) => waiting.reduce((sum, { rows, isSent }) => (isSent ? sum : sum + rows.length), 0)

/**
 * keepJob keeps what an interrupted job needs, until it is done. A link is a credential of its candidate, so the browser
 * keeps none: after an interruption, the requests that were sent are repeated, and the server repeats its responses.
 */
export function keepJob(job: Job): void {
  const known = job.known.map((outcome) => ({ ...outcome, link: null }))
  put('invite', job.waiting.length > 0 ? { ...job, known, outcomes: known } : undefined)
}

export const dropJob = () => put('invite', undefined)

/** The server remembers a key for a day. A later repetition could invite a candidate twice. */
const longest = 23 * 3_600_000

/** keptJob returns the job that was interrupted, if there is one. */
export function keptJob(): Job | undefined {
  const job = get<Job>('invite')
  if (job && Date.now() - job.startedAt > longest) dropJob()
  else if (job) return { ...job, sent: [], waiting: [...job.sent, ...job.waiting] }
  return undefined
}

/**
 * sendJob sends the batches that wait, and reports after each. It repeats a batch that got no response. It returns a fault that
 * needs a person.
 */
export async function sendJob(job: Job, report: (job: Job, isWaiting: boolean) => void, signal: AbortSignal): Promise<Fault | undefined> {
  let failures = 0
  while (job.waiting.length > 0 && !signal.aborted) {
    const [batch, ...waiting] = job.waiting as [Batch, ...Batch[]]
    const answer = await ask(
      v1.POST('/v1/candidate-sessions/bulk', {
        params: { header: { 'Idempotency-Key': batch.key } },
        body: { rows: batch.rows },
      }),
    )
    if (answer.ok) {
      failures = 0
      const sent = [...job.sent, { ...batch, isSent: true }]
      job = { ...job, sent, waiting, outcomes: [...job.outcomes, ...outcomesOf(batch, answer.data)] }
      keepJob(job)
      report(job, false)
      continue
    }
    const { status, problem, retryAfter } = answer.fault
    // The first attempt of a request can still run on the server.
    const isTemporary = [0, 429, 503].includes(status) || problem?.code === 'idempotency_in_progress'
    if (!isTemporary) return answer.fault
    report(job, true)
    await pause(retryAfter ?? Math.min(15, 2 ** failures++), signal)
  }
  return undefined
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, seconds * 1000)
    signal.addEventListener('abort', () => done(), { once: true })
  })
}

function outcomesOf({ rows }: Batch, result: Schemas['BulkResult']): Outcome[] {
  return rows.map((row, i) => {
    const { outcome, session, error } = result.rows[i]!
    return {
      name: row.candidateName,
      email: row.candidateEmail,
      externalId: row.externalId ?? undefined,
      outcome: outcome as Outcome['outcome'],
      link: session?.inviteUrl ?? null,
      expiresAt: session ? endOfStart(session) : undefined,
      error,
    }
  })
}
