// The way to repair an endpoint: since when it fails, why, and the steps. Also the test.
import { useEffect, useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { When } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import { Action } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { FaultNote } from '../core/states.tsx'
import { useAddress } from '../core/url.ts'
import type { Recent } from './recent.ts'
import { advice, disabledWhy, failure, healthOf, milliseconds, type Attempt, type Endpoint } from './words.tsx'

interface BannerProps {
  endpoint: Endpoint
  recent: Recent | undefined
  /** Whether a test has arrived since the screen was opened. */
  isTested: boolean
  ping(): void
  enable(): void
  replay(): void
}

/** Banner is shown while an endpoint fails or is disabled, and until the events that were missed have arrived. */
export function Banner({ endpoint, recent, isTested, ping, enable, replay }: BannerProps) {
  const address = useAddress()
  const health = healthOf(endpoint)
  const missed = recent?.missed ?? 0
  if (health !== 'failing' && health !== 'disabled' && missed === 0) return null
  const reason = needs('ADMIN')
  const { attempt } = recent ?? {}
  const isBroken = health === 'failing' || endpoint.disabledReason === 'FAILING' || endpoint.disabledReason === 'ENDPOINT_GONE'
  return (
    <section class={`note webhooks-banner ${health === 'failing' ? 'bad' : 'warn'}`} aria-label={text('webhooks.banner.label')}>
      <Icon name="warning" />
      <div>
        <h2>{titleOf(endpoint, missed)}</h2>
        {health === 'disabled' && <p>{disabledWhy(endpoint)}</p>}
        <p>{isBroken ? <Since endpoint={endpoint} /> : null}</p>
        {attempt && health !== 'healthy' && (
          <p>
            <b>{failure(attempt)}</b> {advice(attempt)}
          </p>
        )}
        <ol class="webhooks-steps">
          {health !== 'healthy' && (
            <li>
              <span>
                {isTested && <Icon name="check" />} {text(isTested ? 'webhooks.step.tested' : 'webhooks.step.test')}
              </span>
              <Action isSmall reason={reason} act={ping}>
                {text('webhooks.ping')}
              </Action>
            </li>
          )}
          {health === 'disabled' && (
            <li>
              <span>{text('webhooks.step.enable')}</span>
              <Action isSmall reason={reason} act={enable}>
                {text('webhooks.enable')}
              </Action>
            </li>
          )}
          <li>
            <span>{missed > 0 ? text(countKey(recent), { count: missed }) : text('webhooks.step.replay')}</span>
            <Action isSmall reason={reason ?? (endpoint.enabled ? undefined : text('webhooks.replay.disabled'))} act={replay}>
              {text('webhooks.replay')}
            </Action>
            {missed > 0 && (
              <a
                href={address.with({ status: 'FAILED', after: undefined, page: undefined })}
                onClick={() => requestAnimationFrame(showDeliveries)}
              >
                {text('webhooks.step.show')}
              </a>
            )}
          </li>
        </ol>
      </div>
    </section>
  )
}

const showDeliveries = () => document.getElementById('deliveries')?.scrollIntoView()

const countKey = (recent: Recent | undefined) =>
  recent?.hasMore ? ('webhooks.step.missedMore' as const) : ('webhooks.step.missed' as const)

function titleOf(endpoint: Endpoint, missed: number): string {
  const health = healthOf(endpoint)
  if (health === 'disabled') return text('webhooks.banner.disabled')
  if (health === 'failing') return text('webhooks.banner.failing', { count: endpoint.consecutiveFailures })
  return text('webhooks.banner.missed', { count: missed })
}

function Since({ endpoint: { lastSuccessAt } }: { endpoint: Endpoint }) {
  if (!lastSuccessAt) return <>{text('webhooks.banner.never')}</>
  return <>{rich('webhooks.banner.since', { time: <When at={lastSuccessAt} isRelative /> })}</>
}

interface PingProps {
  endpoint: Endpoint
  /** Whether events wait to be sent again. */
  hasMissed: boolean
  close(): void
  enable(): void
  replay(): void
  /** Called when the test has arrived. */
  arrived(): void
}

/** Ping sends a test when it opens, and shows the answer. */
export function Ping({ endpoint, hasMissed, close, enable, replay, arrived }: PingProps) {
  const [attempt, setAttempt] = useState<Attempt>()
  const [fault, setFault] = useState<Fault>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = true
    setAttempt(undefined)
    setFault(undefined)
    void ask(v1.POST('/v1/webhooks/{id}/test', { params: { path: { id: endpoint.id } } })).then((answer) => {
      if (!isCurrent) return
      if (answer.ok) {
        setAttempt(answer.data)
        if (answer.data.failureReason === null) arrived()
      }
      if (!answer.ok) setFault(answer.fault)
    })
    return () => {
      isCurrent = false
    }
  }, [round])
  const isGood = attempt && attempt.failureReason === null
  return (
    <Dialog title={text('webhooks.ping.title')} close={close}>
      <p class="muted webhooks-breaks">{endpoint.url}</p>
      <div class="webhooks-answer" role="status">
        {!attempt && !fault && <p>{text('webhooks.ping.busy')}</p>}
        {attempt && <Outcome attempt={attempt} />}
      </div>
      {fault && <FaultNote fault={fault} retry={() => setRound(round + 1)} />}
      <div class="go">
        {isGood && !endpoint.enabled && (
          <button
            type="button"
            class="button primary"
            onClick={() => {
              close()
              enable()
            }}
          >
            {text('webhooks.enable')}
          </button>
        )}
        {isGood && endpoint.enabled && hasMissed && (
          <button type="button" class="button primary" onClick={replay}>
            {text('webhooks.replay')}
          </button>
        )}
        {attempt && (
          <button type="button" class="button" onClick={() => setRound(round + 1)}>
            {text('webhooks.ping.again')}
          </button>
        )}
        <button type="button" class="button" onClick={close}>
          {text('dialog.close')}
        </button>
      </div>
    </Dialog>
  )
}

function Outcome({ attempt }: { attempt: Attempt }) {
  const { failureReason, statusCode, durationMs, responseBody } = attempt
  const isGood = failureReason === null
  return (
    <>
      <div class={`note ${isGood ? 'good' : 'bad'}`}>
        <Icon name={isGood ? 'check' : 'warning'} />
        <div>
          <p>
            <b>
              {isGood
                ? text('webhooks.ping.good', { status: String(statusCode), duration: milliseconds(durationMs) })
                : failure(attempt)}
            </b>
          </p>
          {!isGood && <p>{advice(attempt)}</p>}
        </div>
      </div>
      {responseBody && <Body label={text('webhooks.attempt.response')} content={responseBody} />}
    </>
  )
}

/** Body shows what the receiver answered, or what was sent. */
export function Body({ label, content }: { label: string; content: string }) {
  return (
    <>
      <h3 class="webhooks-body">{label}</h3>
      <pre tabIndex={0} aria-label={label}>
        <code>{content}</code>
      </pre>
    </>
  )
}
