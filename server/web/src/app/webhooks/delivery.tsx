// One delivery: its event, each attempt, what was sent, and what to do.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { When } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import { newKey } from '../core/keys.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { useShortcuts } from '../core/shortcuts.tsx'
import { CopyButton, FaultNote, Loaded, messageOf } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { Headers } from './headers.tsx'
import { Body } from './repair.tsx'
import { advice, arrivalOf, DeliveryTag, eventName, failure, milliseconds, subjectOf, type Attempt, type Endpoint } from './words.tsx'

type Detail = Schemas['DeliveryDetail']

interface Props {
  id: string
  endpoint: Endpoint
  neighbours: { previous: string | undefined; next: string | undefined }
  /** Shows another delivery, or none. */
  show(id: string | undefined): void
  changed(): void
}

export function DeliveryDrawer({ id, endpoint, neighbours, show, changed }: Props) {
  const path = { id: endpoint.id, deliveryId: id }
  const [isEnded, setEnded] = useState(false)
  const query = useQuery(
    `/v1/webhooks/${endpoint.id}/deliveries/${id}`,
    async () => {
      const answer = await ask(v1.GET('/v1/webhooks/{id}/deliveries/{deliveryId}', { params: { path } }))
      if (answer.ok) setEnded(answer.data.status !== 'PENDING')
      return answer
    },
    isEnded ? {} : { every: 2000 },
  )
  const { data } = query
  return (
    <Dialog
      kind="drawer"
      title={data ? eventName(data.eventType) : text('webhooks.drawer.title')}
      close={() => show(undefined)}
    >
      <Neighbours neighbours={neighbours} show={show} />
      <Loaded query={query}>{(delivery) => <Story delivery={delivery} endpoint={endpoint} show={show} changed={changed} />}</Loaded>
    </Dialog>
  )
}

function Neighbours({ neighbours: { previous, next }, show }: Pick<Props, 'neighbours' | 'show'>) {
  useShortcuts(
    [
      { keys: 'Alt+ArrowUp', label: text('webhooks.drawer.previous'), act: () => previous && show(previous) },
      { keys: 'Alt+ArrowDown', label: text('webhooks.drawer.next'), act: () => next && show(next) },
    ],
    [previous, next],
  )
  const go = (id: string | undefined, name: 'previous' | 'next') => (
    <button type="button" class="button small" aria-disabled={!id} onClick={() => id && show(id)}>
      <Icon name={name === 'previous' ? 'up' : 'down'} />
      {text(`webhooks.drawer.${name}`)}
    </button>
  )
  return (
    <div class="webhooks-neighbours">
      {go(previous, 'previous')}
      {go(next, 'next')}
      <span class="small muted">
        <kbd>Alt</kbd>
        <kbd>↑</kbd>
        <kbd>↓</kbd>
      </span>
    </div>
  )
}

type StoryProps = { delivery: Detail } & Pick<Props, 'endpoint' | 'show' | 'changed'>

function Story({ delivery, endpoint, show, changed }: StoryProps) {
  const { eventId, attempts, createdAt } = delivery
  const event = useQuery(`/v1/events/${eventId}`, () =>
    ask(v1.GET('/v1/events/{id}', { params: { path: { id: eventId } } })),
  )
  const subject = event.data && subjectOf(event.data.data)
  const arrival = event.data && arrivalOf(delivery, event.data.deliveries)
  return (
    <>
      <p class="webhooks-line">
        <DeliveryTag delivery={delivery} />
        <span>{rich('webhooks.drawer.created', { time: <When at={createdAt} /> })}</span>
      </p>
      {arrival?.completedAt ? (
        <p>{rich('webhooks.drawer.later', { time: <When at={arrival.completedAt} isRelative /> })}</p>
      ) : (
        <Outlook delivery={delivery} />
      )}
      <Redeliver delivery={delivery} endpoint={endpoint} show={show} changed={changed} />
      <dl class="facts-list">
        {subject && (
          <>
            <dt>{text('webhooks.column.about')}</dt>
            <dd>
              <a href={to(subject.path)} translate={false}>{subject.name}</a>
            </dd>
          </>
        )}
        <dt>{text('webhooks.drawer.event')}</dt>
        <dd>
          <code>{delivery.eventType}</code>
        </dd>
        <dt>{text('webhooks.drawer.eventId')}</dt>
        <dd>
          <a href={to('/events', { event: eventId })}>{eventId}</a> <CopyButton value={eventId} isSmall />
        </dd>
      </dl>
      <h3 class="webhooks-part">{text('webhooks.drawer.attempts')}</h3>
      {attempts.length === 0 && <p class="muted">{text('webhooks.drawer.noAttempts')}</p>}
      <ol class="webhooks-attempts">
        {[...attempts].reverse().map((attempt, i) => (
          <OneAttempt key={attempt.number} attempt={attempt} isOpen={i === 0} />
        ))}
      </ol>
      <h3 class="webhooks-part">{text('webhooks.drawer.request')}</h3>
      {event.fault?.status === 404 ? (
        <p class="muted">{text('webhooks.drawer.erased')}</p>
      ) : event.fault ? (
        <FaultNote fault={event.fault} retry={event.reload} />
      ) : (
        event.data && <Payload event={event.data} />
      )}
      <Headers delivery={delivery} />
    </>
  )
}

function Payload({ event: { deliveries: _, ...body } }: { event: Schemas['EventRecord'] }) {
  const content = JSON.stringify(body, null, 2)
  return (
    <>
      <Body label={text('webhooks.drawer.payload')} content={content} />
      <CopyButton value={content} />
    </>
  )
}

/** Outlook says in a sentence what became of the delivery, or what comes next. */
function Outlook({ delivery }: { delivery: Detail }) {
  const { status, attempts, nextAttemptAt } = delivery
  const last = attempts.at(-1)
  if (status === 'SUCCEEDED') return <p>{text('webhooks.drawer.arrived', { count: attempts.length })}</p>
  if (status === 'CANCELLED') return <p>{text('webhooks.drawer.cancelled')}</p>
  return (
    <div class={`note ${status === 'FAILED' ? 'bad' : last ? 'warn' : ''} webhooks-outlook`}>
      <Icon name={last ? 'warning' : 'clock'} />
      <div>
        {last && (
          <p>
            <b>{failure(last)}</b> {advice(last)}
          </p>
        )}
        {status === 'FAILED' && <p>{text('webhooks.drawer.failed', { count: attempts.length })}</p>}
        {nextAttemptAt && (
          <p>{rich(last ? 'webhooks.drawer.retry' : 'webhooks.drawer.first', { time: <When at={nextAttemptAt} isRelative /> })}</p>
        )}
      </div>
    </div>
  )
}

function Redeliver({ delivery, endpoint, show, changed }: StoryProps) {
  const [key] = useState(() => newKey())
  const [isBusy, setBusy] = useState(false)
  const reason =
    needs('ADMIN') ??
    (endpoint.enabled ? undefined : text('webhooks.replay.disabled')) ??
    (delivery.status === 'PENDING' ? text('webhooks.redeliver.pending') : undefined)
  const act = async () => {
    setBusy(true)
    const path = { id: endpoint.id, deliveryId: delivery.id }
    const header = { 'Idempotency-Key': key }
    const answer = await ask(v1.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params: { path, header } }))
    setBusy(false)
    if (!answer.ok) return notify(messageOf(answer.fault))
    notify(text('webhooks.redeliver.done'))
    changed()
    show(answer.data.id)
  }
  return (
    <p class="webhooks-redeliver">
      <Action isSmall reason={reason} isBusy={isBusy} act={() => void act()}>
        {text('webhooks.redeliver')}
      </Action>
    </p>
  )
}

function OneAttempt({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  const { number, startedAt, durationMs, statusCode, failureReason, responseBody } = attempt
  const isGood = failureReason === null
  return (
    <li>
      <details open={isOpen}>
        <summary>
          <span class={`tag ${isGood ? 'good' : 'bad'}`}>{statusCode ?? text('webhooks.attempt.none')}</span>
          <b>{text('webhooks.attempt', { number })}</b>
          <span class="muted small">
            <When at={startedAt} /> · {milliseconds(durationMs)}
          </span>
        </summary>
        <div class="webhooks-attempt">
          <p>{isGood ? text('webhooks.attempt.good', { status: String(statusCode) }) : failure(attempt)}</p>
          {responseBody ? (
            <Body label={text('webhooks.attempt.response')} content={responseBody} />
          ) : (
            <p class="muted small">{text(statusCode === null ? 'webhooks.attempt.noResponse' : 'webhooks.attempt.empty')}</p>
          )}
        </div>
      </details>
    </li>
  )
}
