// Sends the invites, and shows what happened to each.
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Fault } from '../core/api.ts'
import { save } from '../core/download.ts'
import { Icon } from '../core/icons.tsx'
import { FaultNote } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { csvOf, fileName } from '../candidates/csv.ts'
import { faultsOf } from './candidates.ts'
import { DoneHeading } from './done_heading.tsx'
import { dropJob, leftOf, sendJob, type Job, type Outcome } from './job.ts'

export function Sending({ job: given, again }: { job: Job; again(): void }) {
  const [job, setJob] = useState(given)
  const [isWaiting, setWaiting] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const stop = useRef(new AbortController())
  const total = leftOf(given)
  const left = leftOf(job)
  const run = async (from: Job) => {
    setFault(undefined)
    const report = (next: Job, waits: boolean) => {
      setJob(next)
      setWaiting(waits)
    }
    setFault(await sendJob(from, report, stop.current.signal))
  }
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    void run(given).finally(() => removeEventListener('beforeunload', warn))
    return () => {
      stop.current.abort()
      removeEventListener('beforeunload', warn)
    }
  }, [])
  if (job.waiting.length === 0) return <Outcomes job={job} again={again} />
  return (
    <section class="card">
      <div role="status">
        <h2>{text('invite.sending', { done: total - left, count: total })}</h2>
      </div>
      <progress class="candidates-progress" max={total} value={total - left} aria-label={text('invite.sending.label')} />
      <p class="muted">{text(isWaiting ? 'invite.sending.waiting' : 'invite.sending.text')}</p>
      {fault && <FaultNote fault={fault} retry={() => void run(job)} />}
    </section>
  )
}

/** Interrupted offers to continue invites whose page was closed. */
export function Interrupted({ job, close }: { job: Job; close(): void }) {
  const [isRunning, setRunning] = useState(false)
  if (isRunning) return <Sending job={job} again={close} />
  const left = leftOf(job)
  const discard = () => {
    dropJob()
    close()
  }
  return (
    <section class="card">
      <h2>{text('invite.interrupted.title')}</h2>
      <p class="muted">{text('invite.interrupted.text', { title: job.assessmentTitle, count: left })}</p>
      <div class="go">
        <button type="button" class="button primary" onClick={() => setRunning(true)}>
          {text('invite.interrupted.continue', { count: left })}
        </button>
        <button type="button" class="button" onClick={discard}>
          {text('invite.interrupted.discard')}
        </button>
      </div>
    </section>
  )
}

function Outcomes({ job, again }: { job: Job; again(): void }) {
  const { outcomes, sendEmail, assessmentId, assessmentTitle, leftOut } = job
  const of = (wanted: Outcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted)
  const [created, existing, failed] = [of('CREATED'), of('EXISTING'), of('FAILED')]
  return (
    <section class="card invite-outcome">
      <DoneHeading>
        <Icon name="check" />
        {text('invite.done.title', { count: created.length })}
      </DoneHeading>
      <p class="muted">{text(sendEmail ? 'invite.done.sent' : 'invite.done.links')}</p>
      {existing.length > 0 && <p class="muted">{text('invite.done.existing', { count: existing.length })}</p>}
      {leftOut && leftOut.before > 0 && <p class="muted">{text('invite.done.before', { count: leftOut.before })}</p>}
      {leftOut && leftOut.other > 0 && <p class="muted">{text('invite.done.other', { count: leftOut.other })}</p>}
      <div class="go">
        <button
          type="button"
          class={sendEmail ? 'button' : 'button primary'}
          onClick={() => save(outcomesCsv(outcomes), fileName(text('invite.csv.file'), assessmentTitle))}
        >
          <Icon name="download" />
          {text('invite.done.save')}
        </button>
        <a class={sendEmail ? 'button primary' : 'button'} href={to(`/assessments/${assessmentId}/candidates`)}>
          {text('invite.done.show')}
        </a>
        <button type="button" class="button" onClick={again}>
          {text('invite.done.again')}
        </button>
      </div>
      {failed.length > 0 && <Failures failed={failed} />}
    </section>
  )
}

function Failures({ failed }: { failed: Outcome[] }) {
  return (
    <>
      <h3>{text('invite.done.failed', { count: failed.length })}</h3>
      <ul class="candidates-names">
        {failed.map((outcome, i) => (
          <li key={i}>
            <b>{outcome.name || outcome.email}</b> <span class="muted">{reasonOf(outcome)}</span>
          </li>
        ))}
      </ul>
      <button type="button" class="button small" onClick={() => save(outcomesCsv(failed), text('invite.faults.file'))}>
        <Icon name="download" />
        {text('invite.faults.save')}
      </button>
    </>
  )
}

const reasonOf = ({ error }: Outcome) => (error ? Object.values(faultsOf(error)).join(' ') : '')

function outcomesCsv(outcomes: Outcome[]): Blob {
  const head = ['name', 'email', 'externalId', 'outcome', 'link', 'expires', 'fault'] as const
  const rows = outcomes.map((outcome) => [
    outcome.name,
    outcome.email,
    outcome.externalId ?? '',
    text(`invite.outcome.${outcome.outcome}`),
    outcome.link ?? '',
    outcome.expiresAt ?? '',
    reasonOf(outcome),
  ])
  return csvOf([head.map((name) => text(`invite.csv.${name}`)), ...rows])
}

