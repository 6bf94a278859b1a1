// What was found about a person.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { StatusTag } from '../candidates/status.tsx'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { score } from '../core/figures.ts'
import { day, When } from '../core/formats.tsx'
import { Action } from '../core/page.tsx'
import { FaultNote } from '../core/states.tsx'
import { Table } from '../core/table.tsx'
import { to } from '../core/url.ts'
import { EraseDialog } from './erase.tsx'
import { allOf, saveJson, savePage } from './person_files.ts'

type Found = Schemas['CandidateData']
type Session = Found['sessions'][number]
type Erasure = Schemas['CandidateDataErasure']

interface Props {
  found: Found
  changed(found: Found): void
}

export function PersonData({ found, changed }: Props) {
  const { email, sessions, registrations, suppression, next } = found
  const [busy, setBusy] = useState<string>()
  const [fault, setFault] = useState<Fault>()
  const [isErasing, setErasing] = useState(false)
  const [erasure, setErasure] = useState<Erasure>()
  const run = async (name: string, work: () => Promise<Fault | undefined>) => {
    setBusy(name)
    setFault(await work())
    setBusy(undefined)
  }
  const more = async () => {
    const answer = await ask(v1.POST('/v1/candidate-data', { body: { email, after: next } }))
    if (!answer.ok) return answer.fault
    changed({ ...answer.data, sessions: [...sessions, ...answer.data.sessions] })
    return undefined
  }
  const erased = async (done: Erasure) => {
    setErasure(done)
    const answer = await allOf(email)
    if (!answer.ok) return setFault(answer.fault)
    changed(answer.data)
  }
  const isEmpty = sessions.length + registrations.length === 0 && !suppression
  return (
    <div class="protection-below">
      <div role="status">
        {erasure && <p class="note good">{text('protection.erased', { count: erasure.erased })}</p>}
        {erasure && erasure.held > 0 && (
          <p class="note warn">{text('protection.erased.held', { count: erasure.held })}</p>
        )}
        {isEmpty && !erasure && (
          <div class="note">
            <p>{rich('protection.person.none', { email })}</p>
          </div>
        )}
      </div>
      {!isEmpty && (
        <>
          <h3>{rich('protection.person.title', { email })}</h3>
          {sessions.length > 0 && <Sessions sessions={sessions} />}
          <Others found={found} />
          <div class="go">
            {next && (
              <Action isSmall isBusy={busy === 'more'} act={() => void run('more', more)}>
                {text('protection.person.more')}
              </Action>
            )}
            <Action isSmall isBusy={busy === 'page'} act={() => void run('page', () => savePage(email))}>
              {text('protection.person.page')}
            </Action>
            <Action isSmall isBusy={busy === 'json'} act={() => void run('json', () => saveJson(email))}>
              {text('protection.person.json')}
            </Action>
            <Action isSmall kind="danger" reason={whyNotErase(found)} act={() => setErasing(true)}>
              {text('protection.erase')}
            </Action>
          </div>
        </>
      )}
      {fault && <FaultNote fault={fault} />}
      {isErasing && (
        <EraseDialog email={email} done={(result) => void erased(result)} close={() => setErasing(false)} />
      )}
    </div>
  )
}

/** whyNotErase returns why nothing can be erased, or undefined. */
function whyNotErase({ sessions, registrations, next }: Found): string | undefined {
  const isHeld = !next && registrations.length === 0 && sessions.every(({ held }) => held)
  return isHeld && sessions.length > 0 ? text('problem.legal_hold') : undefined
}

/** Others is what is stored besides sessions. */
function Others({ found: { registrations, suppression } }: { found: Found }) {
  return (
    <>
      {registrations.map(({ assessmentId, assessmentTitle, expiresAt }) => (
        <p key={assessmentId}>
          {rich('protection.person.registration', {
            assessment: <a href={to(`/assessments/${assessmentId}`)}>{assessmentTitle}</a>,
            when: <When at={expiresAt} />,
          })}
        </p>
      ))}
      {suppression && (
        <p>
          {rich(suppression.reason === 'REFUSED' ? 'protection.person.refused' : 'protection.person.unsubscribed', {
            when: <When at={suppression.since} />,
          })}
        </p>
      )}
    </>
  )
}

function Sessions({ sessions }: { sessions: Session[] }) {
  return (
    <Table
      caption={text('protection.person.caption')}
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'assessment',
          label: text('protection.column.assessment'),
          cell: ({ id, assessmentTitle, candidateName }) => (
            <>
              <a href={to(`/candidates/${id}`)}>{assessmentTitle}</a>
              <span class="small muted block" translate={false}>
                {candidateName}
              </span>
            </>
          ),
        },
        {
          id: 'status',
          label: text('protection.column.status'),
          cell: ({ status, passed, score: points, stateName, invitedAt, endedAt, held, keptUntil }) => (
            <>
              <StatusTag status={status} passed={passed} />
              <Kept held={held} keptUntil={keptUntil} />
              <span class="small muted block">
                {points !== null && <>{score(points)} · </>}
                {stateName && (
                  <>
                    <span translate={false}>{stateName}</span> ·{' '}
                  </>
                )}
                <When at={endedAt ?? invitedAt} />
              </span>
            </>
          ),
        },
      ]}
    />
  )
}

/** Kept says until when the data are kept. */
function Kept({ held, keptUntil }: Pick<Session, 'held' | 'keptUntil'>) {
  if (held) return <span class="tag warn">{text('protection.kept.held')}</span>
  if (!keptUntil) return null
  return <span class="small muted block">{text('protection.kept.until', { day: day(keptUntil) })}</span>
}
