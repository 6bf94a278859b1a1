// The email about the newest change of the state, and a way to cancel it.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { dayAndTime } from '../core/formats.tsx'
import { notify } from '../core/notices.tsx'
import { FaultNote } from '../core/states.tsx'

interface Props {
  id: string
  email: NonNullable<Schemas['ReviewEmail']>
  /** Reads the review and the timeline again. */
  reload(): void
}

export function PlannedEmail({ id, email: { status, sendAt, endedAt }, reload }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const cancel = async () => {
    if (isBusy) return
    setBusy(true)
    const answer = await ask(v1.POST('/v1/candidate-sessions/{id}/review/email/cancel', { params: { path: { id } } }))
    setBusy(false)
    setFault(answer.ok ? undefined : answer.fault)
    if (!answer.ok) return
    notify(text(answer.data.cancelledCount > 0 ? 'candidate.email.cancelled' : 'candidate.email.tooLate'))
    reload()
  }
  const at = dayAndTime(endedAt ?? sendAt)
  return (
    <div>
      <p class="small">{text(`candidate.decisionEmail.${status as 'QUEUED'}`, { at })}</p>
      {status === 'QUEUED' && (
        <button type="button" class="button small" aria-disabled={isBusy} onClick={() => void cancel()}>
          {text('candidate.email.cancel')}
        </button>
      )}
      {fault && <FaultNote fault={fault} />}
    </div>
  )
}
