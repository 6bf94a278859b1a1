// Why a request did not succeed, if another attempt can succeed: no connection, a limit,
// or a fault of the server.
import { useEffect, useState } from 'preact/hooks'
import type { Outcome } from './api.ts'
import { text } from './i18n.tsx'
import { Icon } from './icons.tsx'
import { Note } from './parts.tsx'

export type Failed =
  | { kind: 'offline' }
  /** `until` is a time of performance.now(). */
  | { kind: 'limited'; until: number }
  /** The limit has ended. */
  | { kind: 'again' }
  | { kind: 'broken'; requestId: string }

/** failureOf says which failure an outcome is. */
export function failureOf({ response, retryAfter }: Extract<Outcome<unknown>, { kind: 'unavailable' }>): Failed {
  if (response?.status === 429) return { kind: 'limited', until: performance.now() + (retryAfter ?? 60) * 1000 }
  const requestId = response?.headers.get('X-Request-Id')
  // Without an id, the response is that of a proxy that cannot reach Assay.
  return requestId ? { kind: 'broken', requestId } : { kind: 'offline' }
}

/** waitOf is the time until the next attempt is permitted, in seconds. */
export function waitOf(failed: Failed | undefined): number {
  return failed?.kind === 'limited' ? Math.max(0, Math.ceil((failed.until - performance.now()) / 1000)) : 0
}

/** Failure shows a failure. It calls `over` when a limit has ended. */
export function Failure({ failed, over }: { failed: Failed | undefined; over(): void }) {
  return <div role="alert">{failed && <Content key={failed.kind} failed={failed} over={over} />}</div>
}

function Content({ failed, over }: { failed: Failed; over(): void }) {
  switch (failed.kind) {
    case 'offline':
      return (
        <Note icon="cloudOff" kind="warn">
          {text('failure.offline')}
        </Note>
      )
    case 'limited':
      return <Limited failed={failed} over={over} />
    case 'again':
      return <Note icon="check">{text('failure.again')}</Note>
    case 'broken':
      return (
        <Note icon="warning" kind="bad">
          <p>{text('failure.broken')}</p>
          <RequestId id={failed.requestId} />
        </Note>
      )
  }
}

function Limited({ failed, over }: { failed: Failed; over(): void }) {
  const [left, setLeft] = useState(waitOf(failed))
  useEffect(() => {
    const timer = setInterval(() => {
      setLeft(waitOf(failed))
      if (waitOf(failed) === 0) over()
    }, 250)
    return () => clearInterval(timer)
  }, [failed])
  return (
    <Note icon="clock" kind="warn">
      <p>{text('failure.limited')}</p>
      {/* A screen reader says the first time, and not each second. */}
      <p aria-live="off">
        {left <= 90
          ? text('failure.seconds', { count: left })
          : text('failure.minutes', { count: Math.ceil(left / 60) })}
      </p>
    </Note>
  )
}

function RequestId({ id }: { id: string }) {
  const [isCopied, setCopied] = useState(false)
  // Browsers have a clipboard only on HTTPS and on the own machine.
  const copy = () => void navigator.clipboard.writeText(id).then(() => setCopied(true), () => {})
  return (
    <>
      <p>
        {text('failure.request')} <code class="copyable">{id}</code>
      </p>
      {isSecureContext && (
        <p>
          <button type="button" class="button small" onClick={copy}>
            {isCopied && <Icon name="check" />}
            {text(isCopied ? 'failure.copied' : 'failure.copy')}
          </button>
        </p>
      )}
    </>
  )
}
