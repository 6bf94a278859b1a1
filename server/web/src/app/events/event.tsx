// One event in a drawer: its payload, and its deliveries.
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { When } from '../core/formats.tsx'
import { useQuery } from '../core/query.ts'
import { seesAll } from '../core/roles.ts'
import { CopyButton, Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { DeliveryTag, eventName, hostOf, subjectOf, type Delivery, type EventRecord } from '../webhooks/words.tsx'

interface Props {
  id: string
  /** The event, if the list contains it. */
  known: EventRecord | undefined
  close(): void
}

export function EventDrawer({ id, known, close }: Props) {
  const query = useQuery(`/v1/events/${id}`, () => ask(v1.GET('/v1/events/{id}', { params: { path: { id } } })), {
    every: 5000,
  })
  const event = query.data ?? known
  return (
    <Dialog kind="drawer" title={event ? eventName(event.type) : text('events.drawer')} close={close}>
      <Loaded query={known && !query.fault ? { ...query, data: event } : query}>{(shown) => <Details event={shown} />}</Loaded>
    </Dialog>
  )
}

function Details({ event }: { event: EventRecord }) {
  const { deliveries, ...body } = event
  const subject = subjectOf(event.data)
  const content = JSON.stringify(body, null, 2)
  return (
    <>
      <dl class="facts-list">
        {subject && (
          <>
            <dt>{text('events.column.about')}</dt>
            <dd>
              <a href={to(subject.path)} translate={false}>{subject.name}</a>
            </dd>
          </>
        )}
        <dt>{text('events.column.time')}</dt>
        <dd>
          <When at={event.timestamp} />
        </dd>
        <dt>{text('events.type')}</dt>
        <dd>
          <code>{event.type}</code>
        </dd>
        <dt>{text('events.id')}</dt>
        <dd>
          {event.id} <CopyButton value={event.id} isSmall />
        </dd>
      </dl>
      {seesAll() && (
        <>
          <h3 class="events-part">{text('events.column.deliveries')}</h3>
          {deliveries.length === 0 ? (
            <p class="muted">{text('events.notSent.text')}</p>
          ) : (
            <Deliveries deliveries={deliveries} />
          )}
        </>
      )}
      <div class="events-head">
        <h3>{text('events.payload')}</h3>
        <CopyButton value={content} label={text('events.copy')} />
      </div>
      <pre tabIndex={0} aria-label={text('events.payload')} class="events-json">
        <code>{content}</code>
      </pre>
    </>
  )
}

function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  const endpoints = useQuery('/v1/webhooks?limit=100', () => ask(v1.GET('/v1/webhooks', { params: { query: { limit: 100 } } })))
  const nameOf = (id: string) => {
    const endpoint = endpoints.data?.find((one) => one.id === id)
    return endpoint ? hostOf(endpoint.url) : id
  }
  return (
    <ul class="events-deliveries">
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <DeliveryTag delivery={delivery} />
          <a href={to(`/webhooks/${delivery.webhookId}`, { delivery: delivery.id })}>{nameOf(delivery.webhookId)}</a>
          <span class="muted small">
            <When at={delivery.createdAt} isRelative />
          </span>
        </li>
      ))}
    </ul>
  )
}
