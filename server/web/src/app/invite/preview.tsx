// The rows with what the server says about each, before anything is sent.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { save } from '../core/download.ts'
import { number } from '../core/figures.ts'
import { endOfStart } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import { FaultNote } from '../core/states.tsx'
import { csvOf } from '../candidates/csv.ts'
import { inviteOf, type Candidate, type Settings, type State } from './candidates.ts'
import { useCheck } from './check.ts'
import type { Row } from './columns.ts'
import { jobOf, keepJob, type Job, type Outcome } from './job.ts'
import { PreviewTable } from './preview_table.tsx'

interface Props {
  rows: Row[]
  settings: Settings
  title: string
  /** Takes the rows after a change by hand. */
  edited(rows: Row[]): void
  start(job: Job): void
}

type View = 'ALL' | Exclude<State, 'CHECKING'>
const views: View[] = ['ALL', 'FAULTY', 'DUPLICATE', 'EXISTING', 'BEFORE', 'READY']

export function Preview({ rows, settings, title, edited, start }: Props) {
  const check = useCheck(rows, settings, edited)
  const { candidates, done, fault } = check
  const [view, setView] = useState<View>('ALL')
  const count = (wanted: View) => candidates.filter(({ state }) => wanted === 'ALL' || state === wanted).length
  const ready = candidates.filter(({ state, isChosen }) => state === 'READY' || (state === 'BEFORE' && isChosen))
  const leftOut = candidates.length - ready.length
  const isChecking = done < candidates.length && !fault
  // A row that is repaired stays in the view, so that the field keeps the focus.
  const shown = candidates.filter(({ state, isOpen }) => view === 'ALL' || state === view || (view === 'FAULTY' && isOpen))

  const send = () => {
    if (isChecking || ready.length === 0) return
    const invites = ready.map(({ values, state }) => inviteOf(values, settings, state === 'BEFORE'))
    const job = jobOf(invites, candidates.filter(({ state }) => state === 'EXISTING').map(knownOutcome), {
      ...settings,
      assessmentTitle: title,
      leftOut: {
        before: candidates.filter(({ state, isChosen }) => state === 'BEFORE' && !isChosen).length,
        other: count('DUPLICATE') + count('FAULTY'),
      },
    })
    keepJob(job)
    start(job)
  }
  return (
    <section class="list invite-preview">
      <div class="invite-summary">
        <p role="status">
          {isChecking
            ? text('invite.checking', { done, count: candidates.length })
            : text('invite.checked', { ready: number(ready.length), count: candidates.length })}
        </p>
        {isChecking && <progress max={candidates.length} value={done} aria-label={text('invite.checking.label')} />}
      </div>
      {fault && <FaultNote fault={fault} retry={check.retry} />}
      <div class="chips" role="group" aria-label={text('invite.view')}>
        {views
          .filter((option) => option === 'ALL' || count(option) > 0)
          .map((option) => (
            <button key={option} type="button" class="chip" aria-pressed={view === option} onClick={() => setView(option)}>
              {text(`invite.view.${option}`)} <b>{number(count(option))}</b>
            </button>
          ))}
      </div>
      <PreviewTable assessmentId={settings.assessmentId} {...check} candidates={shown} />
      <div class="invite-foot">
        <button type="button" class="button primary" aria-disabled={isChecking || ready.length === 0} onClick={send}>
          {ready.length === 0
            ? text('invite.send.nobody')
            : leftOut === 0 || isChecking
              ? text('invite.send', { count: ready.length })
              : `${text('invite.send', { count: ready.length })}${text('invite.send.leftOut', { count: leftOut })}`}
        </button>
        {!isChecking && ready.length === 0 && <p class="muted small">{text('invite.send.none')}</p>}
        <span class="grow" />
        {count('FAULTY') > 0 && (
          <>
            <button type="button" class="button small" onClick={() => saveFaults(candidates)}>
              <Icon name="download" />
              {text('invite.faults.save')}
            </button>
            <button type="button" class="button small" onClick={() => check.remove(idsOf(candidates, 'FAULTY'))}>
              {text('invite.faults.remove', { count: count('FAULTY') })}
            </button>
          </>
        )}
      </div>
    </section>
  )
}

const idsOf = (candidates: Candidate[], wanted: State) => candidates.filter(({ state }) => state === wanted).map(({ id }) => id)

/** knownOutcome is the outcome of a row whose candidate was invited before. */
function knownOutcome({ values, session }: Candidate): Outcome {
  return {
    name: values.name,
    email: values.email,
    externalId: values.externalId || undefined,
    outcome: 'EXISTING',
    link: session?.inviteUrl ?? null,
    expiresAt: session ? endOfStart(session) : undefined,
    error: null,
  }
}

function saveFaults(candidates: Candidate[]): void {
  const head = [text('invite.name'), text('invite.email.address'), text('invite.externalId'), text('invite.extraTime'), text('invite.fault')]
  const rows = candidates
    .filter(({ state }) => state === 'FAULTY')
    .map(({ values, faults }) => [
      values.name,
      values.email,
      values.externalId,
      values.extraTime,
      Object.values(faults).join(' '),
    ])
  save(csvOf([head, ...rows]), text('invite.faults.file'))
}
