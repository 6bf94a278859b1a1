// The questions before a session is cancelled, or the data of a candidate is erased.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { Confirm, Dialog } from '../core/dialogs.tsx'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'
import { CopyButton, FaultNote } from '../core/states.tsx'
import { plain } from '../../shared/text.ts'

type Session = Schemas['CandidateSession']

export interface DialogProps {
  session: Session
  done(session: Session): void
  close(): void
}

export function LinkDialog({ session, close }: DialogProps) {
  const link = session.inviteUrl ?? ''
  return (
    <Dialog title={text('candidate.link.title')} close={close}>
      <label class="form-row">
        <span class="muted small">{text('candidate.link.hint')}</span>
        <input class="field" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <CopyButton value={link} />
    </Dialog>
  )
}

export function CancelDialog({ session, done, close }: DialogProps) {
  const { id, candidateName, status } = session
  const act = async () => {
    const answer = await ask(v1.POST('/v1/candidate-sessions/{id}/cancel', { params: { path: { id } } }))
    if (!answer.ok) return answer.fault
    forget('/v1/')
    done(answer.data)
    notify(text('candidate.cancel.done', { name: candidateName }))
    return undefined
  }
  return (
    <Confirm
      title={text('candidate.cancel.question', { name: candidateName })}
      label={text('candidate.cancel.submit')}
      isDanger
      act={act}
      close={close}
    >
      <p>{text('candidate.cancel.text')}</p>
      {status === 'IN_REVIEW' && <p>{text('candidate.cancel.review')}</p>}
      {status === 'IN_PROGRESS' && <p>{text('candidate.cancel.progress')}</p>}
    </Confirm>
  )
}

/** EraseDialog asks for the name, because nothing brings the data back. */
export function EraseDialog({ session, done, close }: Omit<DialogProps, 'done'> & { done(): void }) {
  const { id, candidateName } = session
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const isSame = plain(typed) === plain(candidateName)
  const erase = async (event: Event) => {
    event.preventDefault()
    if (!isSame || isBusy) return
    setBusy(true)
    const answer = await ask(v1.DELETE('/v1/candidate-sessions/{id}/candidate-data', { params: { path: { id } } }))
    setBusy(false)
    if (!answer.ok) return setFault(answer.fault)
    forget('/v1/')
    notify(text('candidate.erase.done'))
    done()
    close()
  }
  return (
    <Dialog title={text('candidate.erase.question', { name: candidateName })} close={close}>
      <p>{text('candidate.erase.text')}</p>
      <p>{text('candidate.erase.kept')}</p>
      <form class="erase-form" onSubmit={(event) => void erase(event)}>
        <label class="form-row">
          {rich('candidate.erase.type', { name: <b translate={false}>{candidateName}</b> })}
          <input
            class="field"
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {fault && <FaultNote fault={fault} />}
        <div class="go">
          <button class="button danger" aria-disabled={!isSame || isBusy}>
            {text('candidate.erase.submit')}
          </button>
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
