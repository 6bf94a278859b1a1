// The states that every screen has: loading, empty, no match, and error.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon, type IconName } from './icons.tsx'
import type { Fault } from './api.ts'
import { hasText } from './faults.ts'
import type { Query } from './query.ts'

/** Rows is the shape of a table that loads. It appears after 300 ms. */
export function Rows({ count = 8 }: { count?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{text('state.loading')}</span>
      {Array.from({ length: count }, (_, i) => (
        <div key={i} class="bone" />
      ))}
    </div>
  )
}

/** PageSkeleton is the shape of a screen whose code or data loads. */
export function PageSkeleton() {
  return (
    <div class="page">
      <h1 class="unseen">{text('state.loading')}</h1>
      <div class="skeleton title" aria-hidden="true">
        <div class="bone" />
      </div>
      <Rows />
    </div>
  )
}

interface EmptyProps {
  icon?: IconName
  title: string
  children?: ComponentChildren
  /** The first step: a button or a link. */
  action?: ComponentChildren
}

/** Empty says what belongs here, and offers the first step. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div class="empty-state">
      {icon && <Icon name={icon} />}
      <h2>{title}</h2>
      {children && <div class="muted">{children}</div>}
      {action && <div class="go">{action}</div>}
    </div>
  )
}

/** NoMatch says that the filters exclude everything. */
export function NoMatch({ clear }: { clear(): void }) {
  return (
    <div class="empty-state" role="status">
      <h2>{text('state.noMatch.title')}</h2>
      <p class="muted">{text('state.noMatch.text')}</p>
      <div class="go">
        <button type="button" class="button" onClick={clear}>
          {text('state.noMatch.clear')}
        </button>
      </div>
    </div>
  )
}

/** messageOf says in a sentence why a request did not succeed, and what to do. */
export function messageOf(fault: Fault): string {
  const { status, problem } = fault
  if (status === 0) return text('fault.offline')
  if (status === 429 && problem?.code === 'rate_limited') return text('fault.limited')
  if (status === 503) return text('fault.unavailable')
  const key = `problem.${problem?.code}`
  if (hasText(key)) return text(key)
  return problem?.detail ?? text('fault.broken')
}

/** FaultNote shows why a request did not succeed, with the request id. */
export function FaultNote({ fault, retry }: { fault: Fault; retry?: (() => void) | undefined }) {
  const left = useCountdown(fault)
  const isWarning = fault.status === 0 || fault.status === 429 || fault.status === 503
  return (
    <div class={`note ${isWarning ? 'warn' : 'bad'}`} role="alert">
      <Icon name={fault.status === 0 ? 'cloudOff' : fault.status === 429 ? 'clock' : 'warning'} />
      <div>
        <p>{messageOf(fault)}</p>
        {left > 0 && <p aria-live="off">{text('fault.wait', { count: left })}</p>}
        {fault.requestId && ![401, 429].includes(fault.status) && <RequestId id={fault.requestId} />}
        {retry && (
          <p>
            <button type="button" class="button small" aria-disabled={left > 0} onClick={() => left === 0 && retry()}>
              {text('fault.retry')}
            </button>
          </p>
        )}
      </div>
    </div>
  )
}

/** useCountdown returns the seconds until another attempt is permitted. */
export function useCountdown(fault: Fault | undefined): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const until = performance.now() + (fault?.status === 429 ? (fault.retryAfter ?? 10) : 0) * 1000
    const count = () => setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1000)))
    count()
    const timer = setInterval(count, 500)
    return () => clearInterval(timer)
  }, [fault])
  return left
}

function RequestId({ id }: { id: string }) {
  return (
    <p class="small">
      {text('fault.request')} <code class="copyable">{id}</code> <CopyButton value={id} isSmall />
    </p>
  )
}

/** CopyButton copies a text. Browsers have a clipboard only on HTTPS and on the own machine. */
export function CopyButton({ value, label, isSmall }: { value: string; label?: string; isSmall?: boolean }) {
  const [isCopied, setCopied] = useState(false)
  if (!isSecureContext) return null
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => undefined,
    )
  return (
    <button type="button" class={isSmall ? 'link-button' : 'button small'} onClick={copy}>
      {!isSmall && <Icon name={isCopied ? 'check' : 'copy'} />}
      <span role="status">{isCopied ? text('copy.done') : (label ?? text('copy'))}</span>
    </button>
  )
}

interface LoadedProps<T> {
  query: Query<T>
  skeleton?: ComponentChildren
  children(data: T): ComponentChildren
}

/**
 * Loaded shows the data of a query, its error, or the shape of what loads. Older data stays below
 * an error, and is dimmed while newer data loads.
 */
export function Loaded<T>({ query, skeleton, children }: LoadedProps<T>) {
  const { data, fault, isStale } = query
  return (
    <>
      {fault && <FaultNote fault={fault} retry={query.reload} />}
      {data !== undefined ? (
        <div class={isStale ? 'stale' : undefined} aria-busy={isStale}>
          {children(data)}
        </div>
      ) : (
        !fault && (skeleton ?? <Rows />)
      )}
    </>
  )
}
