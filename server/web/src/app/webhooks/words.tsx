// Statuses, event types, and failures in words.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { formatter, language } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'

export type Endpoint = Schemas['WebhookEndpoint']
export type Delivery = Schemas['Delivery']
export type Attempt = Schemas['WebhookAttempt']
export type EventRecord = Schemas['EventRecord']

/** The types that an endpoint can receive, in the order of a candidate's way. */
export const eventTypes = [
  'candidate.invited',
  'candidate.started',
  'candidate.review_requested',
  'candidate.submitted',
  'candidate.completed',
  'candidate.disqualified',
  'candidate.expired',
  'candidate.cancelled',
  'candidate.reopened',
  'candidate.result_corrected',
  'candidate.state_changed',
  'candidate.erased',
  'assessment.published',
  'assessment.archived',
] as const
export type EventTypeInput = (typeof eventTypes)[number]

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const

/** valueOf returns the value if the contract permits it, because an address can contain anything. */
export function oneOf<T extends string>(values: readonly T[], value: string | undefined): T | undefined {
  return values.find((known) => known === value)
}

/** eventName returns for example "Candidate invited". The contract can have new types. */
export function eventName(type: string): string {
  const key = `webhooks.event.${type}`
  return hasText(key) ? text(key) : type
}

/** arrivalOf returns the delivery by which the event of a delivery without success reached the endpoint, if there is one. */
export function arrivalOf(delivery: Delivery, others: readonly Delivery[]): Delivery | undefined {
  const { eventId, webhookId, status } = delivery
  if (status === 'SUCCEEDED') return undefined
  return others.find(
    (other) => other.eventId === eventId && other.webhookId === webhookId && other.status === 'SUCCEEDED',
  )
}

const tags: Record<string, string> = { SUCCEEDED: 'good', FAILED: 'bad', PENDING: 'info' }

export function DeliveryTag({ delivery }: { delivery: Pick<Delivery, 'status' | 'attemptCount'> }) {
  const { status, attemptCount } = delivery
  const isRetried = status === 'PENDING' && attemptCount > 0
  const key = isRetried ? 'webhooks.delivery.RETRIED' : `webhooks.delivery.${status}`
  return <span class={`tag ${isRetried ? 'warn' : (tags[status] ?? '')}`}>{hasText(key) ? text(key) : status}</span>
}

/** milliseconds formats a duration of a request, for example "84 ms" or "10.0 s". */
export function milliseconds(value: number): string {
  const unit = value < 1000 ? 'millisecond' : 'second'
  const digits = value < 1000 ? 0 : value < 9950 ? 2 : 1
  return formatter(Intl.NumberFormat, language.value.formats, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value < 1000 ? value : value / 1000)
}

/** failureKey names the texts of a failure: its reason, or its HTTP status, or the class of the status. */
function failureKey({ failureReason, statusCode }: Pick<Attempt, 'failureReason' | 'statusCode'>): string {
  if (failureReason !== 'HTTP_STATUS') return failureReason ?? ''
  return hasText(`webhooks.failure.${statusCode}`) ? `${statusCode}` : `${Math.floor((statusCode ?? 0) / 100)}xx`
}

/** failure says in a sentence why an attempt failed. */
export function failure(attempt: Attempt): string {
  const key = `webhooks.failure.${failureKey(attempt)}`
  const values = { status: String(attempt.statusCode ?? ''), duration: milliseconds(attempt.durationMs) }
  return hasText(key) ? text(key, values) : (attempt.failureReason ?? '')
}

/** advice says what to do about the failure. */
export function advice(attempt: Attempt): string {
  const key = `webhooks.advice.${failureKey(attempt)}`
  return hasText(key) ? text(key) : ''
}

/** subjectOf returns the candidate or the assessment of an event, and its screen. */
export function subjectOf(data: Record<string, unknown>): { name: string; path: string } | undefined {
  const textOf = (name: string) => (typeof data[name] === 'string' ? data[name] : undefined)
  const sessionId = textOf('sessionId')
  const assessmentId = textOf('assessmentId')
  if (sessionId) return { name: textOf('candidateName') ?? sessionId, path: `/candidates/${sessionId}` }
  if (assessmentId) return { name: textOf('title') ?? assessmentId, path: `/assessments/${assessmentId}` }
  return undefined
}

type Health = 'healthy' | 'failing' | 'disabled' | 'unused'

/** healthOf judges an endpoint by its last attempts. */
export function healthOf({ enabled, consecutiveFailures, lastSuccessAt }: Endpoint): Health {
  if (!enabled) return 'disabled'
  if (consecutiveFailures > 0) return 'failing'
  return lastSuccessAt ? 'healthy' : 'unused'
}

const healthTags: Record<Health, string> = { healthy: 'good', failing: 'bad', disabled: 'warn', unused: '' }

export function HealthTag({ endpoint }: { endpoint: Endpoint }) {
  const health = healthOf(endpoint)
  return (
    <span class={`tag ${healthTags[health]}`}>
      {health === 'healthy' && <Icon name="check" />}
      {health === 'failing' && <Icon name="warning" />}
      {text(`webhooks.health.${health}`)}
    </span>
  )
}

/** disabledWhy says in a sentence why an endpoint is disabled. */
export function disabledWhy({ disabledReason }: Endpoint): string {
  const key = `webhooks.disabled.${disabledReason}`
  return hasText(key) ? text(key) : text('webhooks.disabled.MANUAL')
}

/** hostOf returns the address without its scheme, for titles. */
export function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
