// Sends invites in batches. What was not sent survives a closed tab, and can be continued without a second invite.
import type { Schemas } from '../core/api.ts'
import { ask, v1, type Fault } from '../core/api.ts'
import { endOfStart } from '../core/formats.tsx'
import { newKey } from '../core/keys.ts'
import { me } from '../core/session.ts'
import type { Invite } from './candidates.ts'
import { batchSize } from './check.ts'

export interface Batch {
  /** For Idempotency-Key, so that a repeated request invites nobody twice. */
  key: string
  rows: Invite[]
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
  /** The batches whose outcome is not known. */
  waiting: Batch[]
  outcomes: Outcome[]
}

export function jobOf(invites: Invite[], known: Outcome[], more: Pick<Job, 'assessmentId' | 'assessmentTitle' | 'sendEmail' | 'leftOut'>): Job {
  const waiting: Batch[] = []
  for (let first = 0; first < invites.length; first += batchSize) {
    waiting.push({ key: newKey(), rows: invites.slice(first, first + batchSize) })
  }
  return { ...more, startedAt: Date.now(), waiting, outcomes: known }
}

export const leftOf = ({ waiting }: Job) => waiting.reduce((sum, { rows }) => sum + rows.length, 0)

// The job has names and addresses, so it is kept only until it is done, and belongs to one person.
const place = () => `assay.invite.${me.value?.id}`

export function keepJob(job: Job): void {
  try {
    if (job.waiting.length > 0) localStorage.setItem(place(), JSON.stringify(job))
    else localStorage.removeItem(place())
  } catch {
    // Without storage, the job ends with the page.
  }
}

export function dropJob(): void {
  localStorage.removeItem(place())
}

/** The server remembers a key for a day. */
const longest = 24 * 3_600_000

/** keptJob returns the job that was interrupted, if there is one. */
export function keptJob(): Job | undefined {
  try {
    const job = JSON.parse(localStorage.getItem(place()) ?? 'null') as Job | null
    if (job && Date.now() - job.startedAt < longest) return job
    dropJob()
  } catch {
    dropJob()
  }
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
      job = { ...job, waiting, outcomes: [...job.outcomes, ...outcomesOf(batch, answer.data)] }
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
