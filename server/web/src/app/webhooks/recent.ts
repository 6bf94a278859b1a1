// The newest deliveries of an endpoint: which events did not arrive, and why.
import { ask, v1 } from '../core/api.ts'
import { useQuery, type Query } from '../core/query.ts'
import { failure, type Attempt, type Delivery } from './words.tsx'

/** As far back as the banner looks, because older events are rarely wanted. */
const lookBack = 7 * 24 * 3_600_000
const limit = 100

export interface Recent {
  /** The events whose newest delivery has ended without success. */
  missed: number
  /** Whether there can be more than the newest deliveries show. */
  hasMore: boolean
  /** When the first of them was to be delivered. */
  since: string | undefined
  /** The most frequent failure of the newest failed deliveries. */
  attempt: Attempt | undefined
}

/** useRecent reads again every few seconds, because a repair must show. */
export function useRecent(id: string): Query<Recent> {
  return useQuery(`/v1/deliveries?recent=${id}`, () => load(id), { every: 5000 })
}

async function load(id: string) {
  const since = new Date(Date.now() - lookBack).toISOString()
  const listed = await ask(v1.GET('/v1/deliveries', { params: { query: { webhookId: id, since, limit } } }))
  if (!listed.ok) return listed
  const missed = missedOf(listed.data)
  const data: Recent = {
    missed: missed.length,
    hasMore: listed.data.length === limit,
    since: missed.at(-1)?.createdAt,
    attempt: await mostFrequent(id, listed.data),
  }
  return { ...listed, data }
}

/** missedOf returns the newest delivery of each event that has not arrived, newest first. */
export function missedOf(deliveries: Delivery[]): Delivery[] {
  const arrived = new Set(deliveries.filter(({ status }) => status === 'SUCCEEDED').map(({ eventId }) => eventId))
  const seen = new Set<string>()
  return deliveries.filter(({ eventId, status }) => {
    if (seen.has(eventId)) return false
    seen.add(eventId)
    return !arrived.has(eventId) && (status === 'FAILED' || status === 'CANCELLED')
  })
}

// A delivery that has ended does not change.
const ended = new Map<string, Attempt | undefined>()

/** mostFrequent reads the last attempts of some deliveries that have failed. The list does not contain attempts. */
async function mostFrequent(id: string, deliveries: Delivery[]): Promise<Attempt | undefined> {
  const failing = deliveries.filter(({ status, attemptCount }) => status !== 'SUCCEEDED' && attemptCount > 0).slice(0, 5)
  const attempts = await Promise.all(failing.map((delivery) => lastAttempt(id, delivery)))
  const counts = new Map<string, { attempt: Attempt; count: number }>()
  for (const attempt of attempts) {
    if (!attempt?.failureReason) continue
    const key = `${attempt.failureReason} ${attempt.statusCode}`
    counts.set(key, { attempt: counts.get(key)?.attempt ?? attempt, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.attempt
}

async function lastAttempt(id: string, { id: deliveryId, attemptCount }: Delivery): Promise<Attempt | undefined> {
  const key = `${deliveryId} ${attemptCount}`
  if (ended.has(key)) return ended.get(key)
  const path = { id, deliveryId }
  const read = await ask(v1.GET('/v1/webhooks/{id}/deliveries/{deliveryId}', { params: { path } }))
  if (!read.ok) return undefined
  ended.set(key, read.data.attempts.at(-1))
  return ended.get(key)
}

/** inWords says in a sentence why deliveries fail. */
export function inWords({ attempt }: Recent): string {
  return attempt ? failure(attempt) : ''
}
