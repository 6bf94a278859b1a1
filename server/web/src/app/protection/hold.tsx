// Legal holds, which protect data from erasure: one in a list, those of a candidate, and setting one.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm, Dialog } from '../core/dialogs.tsx'
import { Form, TextField } from '../core/forms.tsx'
import { When } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { forget } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { to } from '../core/url.ts'

export type Hold = Schemas['LegalHold']

interface RowsProps {
  holds: Hold[]
  /** Whether they are shown at the session itself. */
  isOwn?: boolean
  /** Called after one was released. */
  changed(): void
}

/** HoldRows lists holds, each with what it protects and a button to release it. */
export function HoldRows({ holds, isOwn, changed }: RowsProps) {
  const [released, release] = useState<Hold>()
  return (
    <>
      <div class="setting-rows" role="list">
        {holds.map((hold) => (
          <div key={hold.id} role="listitem">
            <div>
              {!(isOwn && hold.sessionId) && (
                <p>
                  <Subject hold={hold} />
                </p>
              )}
              <p translate={false}>{hold.reason}</p>
              <p class="small muted">
                {rich('protection.hold.by', { name: hold.createdBy.name, when: <When at={hold.createdAt} /> })}
              </p>
            </div>
            <Action isSmall reason={needs('ADMIN')} act={() => release(hold)}>
              {text('protection.hold.release')}
            </Action>
          </div>
        ))}
      </div>
      {released && <Release hold={released} changed={changed} close={() => release(undefined)} />}
    </>
  )
}

function Subject({ hold: { assessmentId, assessmentTitle, sessionId, candidateName } }: { hold: Hold }) {
  const assessment = <a href={to(`/assessments/${assessmentId}`)}>{assessmentTitle || text('protection.untitled')}</a>
  if (!sessionId) return <b>{rich('protection.hold.assessment', { assessment })}</b>
  const candidate = <a href={to(`/candidates/${sessionId}`)}>{candidateName}</a>
  return <b translate={false}>{rich('protection.hold.session', { candidate, assessment })}</b>
}

function Release({ hold, changed, close }: { hold: Hold; changed(): void; close(): void }) {
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/legal-holds/{id}', { params: { path: { id: hold.id } } }))
    if (!answer.ok) return answer.fault
    forget('/v1/legal-holds')
    changed()
    notify(text('protection.hold.released'))
    return undefined
  }
  return (
    <Confirm
      title={text('protection.release.title')}
      label={text('protection.release.submit')}
      isDanger
      act={act}
      close={close}
    >
      <p>
        <Subject hold={hold} />
      </p>
      <p translate={false}>{hold.reason}</p>
      <p>{text('protection.release.text')}</p>
    </Confirm>
  )
}

/** HoldNote says that the data of a candidate cannot be erased, and why. */
export function HoldNote({ holds, changed }: RowsProps) {
  return (
    <div class="note warn candidate-note">
      <Icon name="key" />
      <div>
        <p>{text('protection.note')}</p>
        <HoldRows isOwn holds={holds} changed={changed} />
      </div>
    </div>
  )
}

interface SetProps {
  /** What is held: exactly one of both. */
  of: { sessionId: string } | { assessmentId: string }
  name: string
  done(): void
  close(): void
}

export function SetHold({ of, name, done, close }: SetProps) {
  const [reason, setReason] = useState('')
  return (
    <Dialog title={text('protection.set.title', { name })} close={close}>
      <p>{text('sessionId' in of ? 'protection.set.session' : 'protection.set.assessment')}</p>
      <Form
        draft="hold"
        label={text('protection.set.submit')}
        check={(): Record<string, string> => (isBlank(reason) ? { '/reason': text('field.required') } : {})}
        send={(key) =>
          ask(
            v1.POST('/v1/legal-holds', {
              params: { header: { 'Idempotency-Key': key } },
              body: { ...of, reason: reason.trim() },
            }),
          )
        }
        done={() => {
          forget('/v1/legal-holds')
          done()
          notify(text('protection.set.done'))
          close()
        }}
      >
        <TextField
          label={text('protection.set.reason')}
          hint={text('protection.set.reason.hint')}
          pointer="/reason"
          rows={3}
          maxLength={500}
          value={reason}
          change={setReason}
        />
      </Form>
    </Dialog>
  )
}
