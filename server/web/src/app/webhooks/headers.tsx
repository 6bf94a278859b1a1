// The headers of a request. Assay computes the signatures for each attempt, and does not store them.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'

export function Headers({ delivery }: { delivery: Schemas['DeliveryDetail'] }) {
  const { id, eventId, eventType, attempts } = delivery
  const last = attempts.at(-1)
  const seconds = last && String(Math.floor(Date.parse(last.startedAt) / 1000))
  const rows = [
    { name: 'webhook-id', value: eventId, meaning: text('webhooks.header.id') },
    { name: 'webhook-timestamp', value: seconds, meaning: text('webhooks.header.timestamp') },
    { name: 'webhook-signature', value: 'v1,…', meaning: text('webhooks.header.signature') },
    { name: 'X-Service-Signature', value: 'sha256=…', meaning: text('webhooks.header.service') },
    { name: 'X-Service-Event', value: eventType, meaning: text('webhooks.header.type') },
    { name: 'X-Service-Delivery', value: id, meaning: text('webhooks.header.delivery') },
  ]
  return (
    <details class="webhooks-headers">
      <summary>{text('webhooks.headers')}</summary>
      <p class="small muted">{text('webhooks.headers.text')}</p>
      <dl>
        {rows.map(({ name, value, meaning }) => (
          <div key={name}>
            <dt>
              <code>{value ? `${name}: ${value}` : name}</code>
            </dt>
            <dd class="small muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
