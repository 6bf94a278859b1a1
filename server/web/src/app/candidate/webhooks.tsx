// The events of a session with their deliveries to webhooks.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { When } from '../core/formats.tsx'
import { useQuery } from '../core/query.ts'
import { seesAll } from '../core/roles.ts'
import { Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { hostOf } from '../webhooks/words.tsx'

type Event = Schemas['EventRecord']
type Delivery = Schemas['Delivery']
type Endpoint = Schemas['WebhookEndpoint']

const kinds: Record<string, string> = { SUCCEEDED: 'good', FAILED: 'bad', PENDING: 'warn' }

export function Webhooks({ id, version }: { id: string; version: string }) {
  const query = useQuery(`/v1/events?resourceId=${id} ${version}`, () =>
    ask(v1.GET('/v1/events', { params: { query: { resourceId: id, limit: 100 } } })),
  )
  const isSent = query.data?.some(({ deliveries }) => deliveries.length > 0)
  const endpoints = useQuery(isSent ? '/v1/webhooks?names' : undefined, () =>
    ask(v1.GET('/v1/webhooks', { params: { query: { limit: 100 } } })),
  )
  return (
    <section class="card no-print">
      <h2>{text('candidate.webhooks.title')}</h2>
      <Loaded query={query}>
        {(events) =>
          events.length === 0 ? (
            <p class="muted">{text('candidate.webhooks.none')}</p>
          ) : (
            <>
              <ul class="event-list">
                {[...events].reverse().map((event) => (
                  <Item key={event.id} event={event} session={id} endpoints={endpoints.data ?? []} />
                ))}
              </ul>
              {!isSent && seesAll() && (
                <p class="small muted no-endpoint">{text('candidate.webhooks.noEndpoint')}</p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Item({ event, session, endpoints }: { event: Event; session: string; endpoints: Endpoint[] }) {
  return (
    <li>
      <p class="event-head">
        <a href={to('/events', { resource: session, event: event.id })}>
          <code>{event.type}</code>
        </a>
        <span class="small muted">
          <When at={event.timestamp} isRelative />
        </span>
      </p>
      {event.deliveries.map((delivery) => (
        <Line key={delivery.id} delivery={delivery} endpoints={endpoints} />
      ))}
    </li>
  )
}

function Line({ delivery, endpoints }: { delivery: Delivery; endpoints: Endpoint[] }) {
  const { id, webhookId, status, attemptCount, completedAt } = delivery
  const endpoint = endpoints.find((known) => known.id === webhookId)
  const key = `candidate.delivery.${status}`
  return (
    <p class="event-head small">
      <span class={`tag ${kinds[status] ?? ''}`}>{hasText(key) ? text(key) : status}</span>
      <a href={to(`/webhooks/${webhookId}`, { delivery: id })}>
        {endpoint && `${hostOf(endpoint.url)}: `}
        {text('candidate.webhooks.attempts', { count: attemptCount })}
      </a>
      {completedAt && (
        <span class="muted">
          <When at={completedAt} isRelative />
        </span>
      )}
    </p>
  )
}
