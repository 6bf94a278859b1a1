// The events of the deliveries on a page, because a delivery does not name its candidate.
import { useEffect, useState } from 'preact/hooks'
import { ask, v1 } from '../core/api.ts'
import type { Delivery, EventRecord } from './words.tsx'

// Events do not change, except that erasing a candidate removes them.
const known = new Map<string, EventRecord | undefined>()
const maxKnown = 500

/** Events are stored shortly before their deliveries. */
const margin = 60_000

/** useEvents returns the events of the deliveries by their ids, as far as they are known. */
export function useEvents(deliveries: Delivery[]): ReadonlyMap<string, EventRecord | undefined> {
  const [, update] = useState({})
  const ids = [...new Set(deliveries.map(({ eventId }) => eventId))]
  useEffect(() => {
    let isCurrent = true
    const missing = deliveries.filter(({ eventId }) => !known.has(eventId))
    if (missing.length === 0) return
    void load(missing).then(() => isCurrent && update({}))
    return () => {
      isCurrent = false
    }
  }, [ids.join()])
  return known
}

/** load reads the events of the period with one request, and each event of a replayed delivery with another request. */
async function load(deliveries: Delivery[]): Promise<void> {
  const times = deliveries.map(({ createdAt }) => Date.parse(createdAt))
  const since = new Date(Math.min(...times) - margin).toISOString()
  const until = new Date(Math.max(...times) + 1000).toISOString()
  const listed = await ask(v1.GET('/v1/events', { params: { query: { since, until, limit: 100 } } }))
  if (listed.ok) for (const event of listed.data) remember(event.id, event)
  const left = [...new Set(deliveries.map(({ eventId }) => eventId))].filter((id) => !known.has(id))
  await Promise.all(
    left.map(async (id) => {
      const read = await ask(v1.GET('/v1/events/{id}', { params: { path: { id } } }))
      if (read.ok) remember(id, read.data)
      else if (read.fault.status === 404) remember(id, undefined)
    }),
  )
}

function remember(id: string, event: EventRecord | undefined): void {
  known.set(id, event)
  if (known.size > maxKnown) known.delete(known.keys().next().value!)
}
