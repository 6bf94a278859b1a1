// The forms that change a session: a new link, more time, another expiry.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { dayAndTime, endOfStart } from '../core/formats.tsx'
import { CheckField, Form, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'
import { me } from '../core/me.ts'
import type { DialogProps } from './dialogs.tsx'
import { fromField, toField, zoneHint } from '../core/zone.ts'
import { isBlank } from '../../shared/text.ts'

export function ResendDialog({ session, done, close }: DialogProps) {
  const { id, candidateName, candidateEmail } = session
  const { emailEnabled, sendInviteEmail } = me.value!.organization
  const [sendEmail, setSendEmail] = useState(emailEnabled && sendInviteEmail)
  // The rule of the assessment can need a consent to another attempt, which only the server knows.
  const [needsConsent, setNeedsConsent] = useState(false)
  const [allowRepeat, setAllowRepeat] = useState(false)
  const send = (key: string) =>
    ask(
      v1.POST('/v1/candidate-sessions/{id}/resend', {
        params: { path: { id }, header: { 'Idempotency-Key': key } },
        body: { sendEmail, ...(allowRepeat && { allowRepeat }) },
      }),
    )
  const refused = ({ problem }: Fault) => {
    const isQuestion = problem?.code === 'candidate_attempted_before' && problem.earlierAttempt?.repeat === 'ASK'
    setNeedsConsent(isQuestion)
    return isQuestion
  }
  return (
    <Dialog title={text('candidate.resend.title', { name: candidateName })} close={close}>
      <p>{text('candidate.resend.text')}</p>
      <Form
        draft="resend"
        label={text(sendEmail ? 'candidate.resend.send' : 'candidate.resend.create')}
        send={send}
        refused={refused}
        done={(next) => {
          forget('/v1/')
          done(next)
          const until = dayAndTime(endOfStart(next))
          notify(
            sendEmail
              ? text('candidate.resend.sent', { email: candidateEmail })
              : text('candidate.resend.done', { until }),
          )
          close()
        }}
        actions={<Close close={close} />}
      >
        <CheckField
          label={text('candidate.resend.email', { email: candidateEmail })}
          hint={text('candidate.resend.limit')}
          isChecked={sendEmail}
          change={setSendEmail}
          reason={emailEnabled ? undefined : text('candidate.resend.noEmail')}
        />
        {needsConsent && (
          <div role="alert">
            <CheckField
              label={text('candidate.resend.again', { name: candidateName })}
              hint={text('candidate.resend.again.hint')}
              isChecked={allowRepeat}
              change={setAllowRepeat}
            />
          </div>
        )}
      </Form>
    </Dialog>
  )
}

export function ExtendDialog({ session, done, close }: DialogProps) {
  const { id, candidateName, deadlineAt } = session
  const [minutes, setMinutes] = useState('15')
  const [reason, setReason] = useState('')
  const count = Number(minutes)
  const isValid = Number.isInteger(count) && count >= 1 && count <= 1440
  const check = (): Record<string, string> => ({
    ...(isValid ? {} : { '/minutes': text('candidate.extend.range') }),
    ...(!isBlank(reason) ? {} : { '/reason': text('field.required') }),
  })
  const send = (key: string) =>
    ask(
      v1.POST('/v1/candidate-sessions/{id}/extend', {
        params: { path: { id }, header: { 'Idempotency-Key': key } },
        body: { minutes: count, reason: reason.trim() },
      }),
    )
  const next = isValid && deadlineAt ? new Date(Date.parse(deadlineAt) + count * 60_000) : undefined
  return (
    <Dialog title={text('candidate.extend.title', { name: candidateName })} close={close}>
      <Form
        draft="extend"
        label={text('candidate.extend.submit')}
        check={check}
        send={send}
        done={(changed) => {
          forget('/v1/')
          done(changed)
          notify(text('candidate.extend.done', { count }))
          close()
        }}
        actions={<Close close={close} />}
      >
        <TextField
          label={text('candidate.extend.minutes')}
          hint={next && text('candidate.extend.until', { time: dayAndTime(next) })}
          pointer="/minutes"
          type="number"
          value={minutes}
          change={setMinutes}
        />
        <TextField
          label={text('candidate.extend.reason')}
          hint={text('candidate.extend.hint')}
          pointer="/reason"
          maxLength={500}
          value={reason}
          change={setReason}
        />
      </Form>
    </Dialog>
  )
}

export function ChangeDialog({ session, done, close }: DialogProps) {
  const { id, candidateName } = session
  const [expiry, setExpiry] = useState(() => toField(session.expiresAt))
  const [extra, setExtra] = useState(String(session.extraTimePercent))
  const before = toField(session.expiresAt)
  const percent = Number(extra)
  const check = (): Record<string, string> => ({
    ...(fromField(expiry) ? {} : { '/expiresAt': text('field.required') }),
    ...(extra.trim() !== '' && Number.isInteger(percent) && percent >= 0
      ? {}
      : { '/extraTimePercent': text('candidate.change.percent') }),
  })
  const send = () =>
    ask(
      v1.PATCH('/v1/candidate-sessions/{id}', {
        params: { path: { id } },
        body: {
          // The field has no seconds, so it is sent only if it was changed.
          ...(expiry === before ? {} : { expiresAt: fromField(expiry)! }),
          extraTimePercent: percent,
        },
      }),
    )
  return (
    <Dialog title={text('candidate.change.title', { name: candidateName })} close={close}>
      <Form
        draft="change"
        label={text('candidate.change.submit')}
        check={check}
        send={send}
        done={(changed) => {
          forget('/v1/')
          done(changed)
          notify(text('candidate.change.done'))
          close()
        }}
        actions={<Close close={close} />}
      >
        <TextField
          label={text('candidate.change.expiry')}
          hint={zoneHint(expiry)}
          pointer="/expiresAt"
          type="datetime-local"
          value={expiry}
          change={setExpiry}
        />
        <TextField
          label={text('candidate.change.extra')}
          hint={text('candidate.change.extraHint')}
          pointer="/extraTimePercent"
          type="number"
          value={extra}
          change={setExtra}
        />
      </Form>
    </Dialog>
  )
}

function Close({ close }: { close(): void }) {
  return (
    <button type="button" class="button" onClick={close}>
      {text('dialog.cancel')}
    </button>
  )
}
