// What people have decided about the gates of a session, and the way back that exists.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ReopenDialog } from '../candidate/lazy_dialogs.ts'
import { hasResult } from '../candidate/status.tsx'
import type { Schemas } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import type { OpenDecision } from './open.ts'

type Session = Schemas['CandidateSession']
type Entry = Schemas['TimelineEntry']

interface Props {
  session: Session
  /** The timeline of the session. */
  entries: Entry[]
  /** The titles of the stages, by id. */
  stages: Map<string, string>
  done(session: Session): void
}

/** Ruled is for a session that no longer waits. A reopening is newer than the decision that it undoes. */
export function Ruled({ session, entries, stages, done }: Props) {
  const [isOpen, setOpen] = useState(false)
  const last = [...entries].reverse().find(({ type }) => ['GATE_PASSED', 'GATE_STOPPED', 'REOPENED'].includes(type))
  if (!last || last.type === 'REOPENED') return null
  const isPass = last.type === 'GATE_PASSED'
  const canReopen = !isPass && hasResult(session) && !session.erasedAt
  return (
    <div class="note candidate-note ruled">
      <Icon name="person" />
      <div>
        <p>
          {rich(isPass ? 'decision.ruled.PASS' : 'decision.ruled.STOP', {
            name: last.actor.name ?? '–',
            stage: (last.stageId && stages.get(last.stageId)) || '–',
            when: <When at={last.at} isRelative />,
          })}{' '}
          {last.reason && <span class="muted">{text('candidate.timeline.reason', { reason: last.reason })}</span>}
        </p>
        {canReopen && (
          <p class="small no-print">
            {text('decision.ruled.back')}{' '}
            <button type="button" class="link-button" onClick={() => setOpen(true)}>
              {text('candidate.reopen')}
            </button>
          </p>
        )}
      </div>
      {isOpen && <ReopenDialog session={session} done={done} close={() => setOpen(false)} />}
    </div>
  )
}

/** Rulings lists the decisions about earlier gates of a session that waits again. */
export function Rulings({ decision: { rulings, stages } }: { decision: OpenDecision }) {
  if (rulings.length === 0) return null
  return (
    <section class="card" aria-labelledby="rulings">
      <h2 id="rulings">{text('decision.rulings.title')}</h2>
      <ol class="revisions">
        {rulings.map(({ id, stageId, decision, reason, createdBy, createdAt }) => (
          <li key={id}>
            <p>
              {rich(decision === 'PASS' ? 'decision.ruled.PASS' : 'decision.ruled.STOP', {
                name: createdBy.name ?? '–',
                stage: stages.find((stage) => stage.id === stageId)?.title ?? '–',
                when: <When at={createdAt} isRelative />,
              })}
            </p>
            {reason && <p class="small muted">{text('candidate.timeline.reason', { reason })}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
