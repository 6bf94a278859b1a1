// Invites one candidate.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer, type Fault, type Schemas } from '../core/api.ts'
import { dayAndTime, endOfStart } from '../core/formats.tsx'
import { dropDraft } from '../core/drafts.ts'
import { Form, TextField } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { newKey } from '../core/keys.ts'
import { Action } from '../core/page.tsx'
import { CopyButton, FaultNote } from '../core/states.tsx'
import { fromField, zoneHint } from '../core/zone.ts'
import { to } from '../core/url.ts'
import { DoneHeading } from './done_heading.tsx'
import { EmailChoice, sendsByDefault, type Assessment } from './email_choice.tsx'
import { hasLive, HistoryNote, useHistory, whyNotAgain } from './history.tsx'
import { isBlank, visible } from '../../shared/text.ts'

type Session = Schemas['CandidateSession']
type OnExisting = NonNullable<Schemas['CandidateSessionCreate']['onExisting']>
interface Done {
  session: Session
  isNew: boolean
}

const empty = { name: '', email: '', externalId: '', extraTime: '', expires: '' }

export function One({ assessment }: { assessment: Assessment }) {
  const [values, setValues] = useState(empty)
  const [sendEmail, setSendEmail] = useState(sendsByDefault)
  const [conflict, setConflict] = useState<Fault>()
  const [hasMore, setMore] = useState(false)
  const [done, setDone] = useState<Done>()
  const [isAgain, setAgain] = useState(false)
  const { history, look } = useHistory(assessment.id, values.email)
  const set = (name: keyof typeof empty) => (value: string) => {
    setConflict(undefined)
    if (name === 'email') setAgain(false)
    setValues({ ...values, [name]: value })
  }

  const draft = `one ${assessment.id}`
  const send = async (key: string, onExisting: OnExisting = 'RETURN'): Promise<Answer<Done>> => {
    const { name, email, externalId, extraTime, expires } = values
    const answer = await ask(
      v1.POST('/v1/candidate-sessions', {
        params: { header: { 'Idempotency-Key': key } },
        body: {
          assessmentId: assessment.id,
          candidateName: name.trim(),
          candidateEmail: visible(email),
          ...(externalId.trim() && { externalId: externalId.trim() }),
          ...(extraTime && { extraTimePercent: Number(extraTime) }),
          ...(expires && { expiresAt: fromField(expires) ?? null }),
          sendEmail,
          onExisting,
          ...((isAgain || onExisting === 'NEW_ATTEMPT') && { allowRepeat: true }),
        },
      }),
    )
    return answer.ok ? { ...answer, data: { session: answer.data, isNew: answer.response.status === 201 } } : answer
  }
  const resolve = async (onExisting: OnExisting) => {
    const answer = await send(newKey(), onExisting)
    if (answer.ok) {
      dropDraft(draft)
      setDone(answer.data)
    }
    setConflict(answer.ok ? undefined : answer.fault)
  }
  const refused = (fault: Fault) => {
    const isConflict = fault.problem?.code === 'candidate_already_invited'
    setConflict(isConflict ? fault : undefined)
    // The page may not have asked yet.
    if (fault.problem?.code === 'candidate_attempted_before') look()
    // The field with the fault must be visible.
    if (fault.problem?.code === 'assessment_not_open') setMore(true)
    return isConflict
  }
  const again = () => {
    setAgain(false)
    setValues(empty)
    setDone(undefined)
  }
  const check = (): Record<string, string> => ({
    ...(isBlank(values.name) && { '/candidateName': text('invite.fault.candidateName.too_short') }),
    ...(isBlank(values.email) && { '/candidateEmail': text('invite.fault.candidateEmail.too_short') }),
    ...(history && !isAgain && !hasLive(history, assessment.id) && {
      '/candidateEmail': whyNotAgain(history) ?? text('invite.before.confirm'),
    }),
  })
  if (done) return <Invited {...done} isSent={sendEmail} again={again} />
  return (
    <section class="card invite-one">
      <Form
        draft={draft}
        label={text('invite.one.submit')}
        busyLabel={text('invite.one.busy')}
        send={send}
        done={setDone}
        check={check}
        refused={refused}
      >
        <TextField label={text('invite.name')} pointer="/candidateName" maxLength={200} value={values.name} change={set('name')} />
        <TextField label={text('invite.email.address')} pointer="/candidateEmail" type="email" value={values.email} change={set('email')} />
        {history && <HistoryNote history={history} assessmentId={assessment.id} isAgain={isAgain} change={setAgain} />}
        <EmailChoice assessment={assessment} isChecked={sendEmail} change={setSendEmail} />
        <details class="invite-more" open={hasMore} onToggle={(event) => setMore(event.currentTarget.open)}>
          <summary>{text('invite.moreOptions')}</summary>
          <TextField
            label={text('invite.externalId')}
            hint={text('invite.externalId.hint')}
            pointer="/externalId"
            isOptional
            maxLength={200}
            value={values.externalId}
            change={set('externalId')}
          />
          <TextField
            label={text('invite.extraTime')}
            hint={text('invite.extraTime.hint')}
            pointer="/extraTimePercent"
            type="number"
            isOptional
            value={values.extraTime}
            change={set('extraTime')}
          />
          <TextField
            label={text('invite.expires')}
            hint={`${text('invite.expires.hint', { count: assessment.inviteExpiryDays })} ${zoneHint(values.expires)}`}
            pointer="/expiresAt"
            type="datetime-local"
            isOptional
            value={values.expires}
            change={set('expires')}
          />
        </details>
        {conflict && <Conflict fault={conflict} resolve={(onExisting) => void resolve(onExisting)} />}
      </Form>
    </section>
  )
}

/** Conflict offers what can be done if the candidate has a session with other values. */
function Conflict({ fault, resolve }: { fault: Fault; resolve(onExisting: OnExisting): void }) {
  if (fault.problem?.code !== 'candidate_already_invited') return <FaultNote fault={fault} />
  return (
    <div class="note warn" role="alert">
      <Icon name="warning" />
      <div>
        <p>{text('invite.conflict')}</p>
        <p class="invite-buttons">
          <Action isSmall act={() => resolve('UPDATE')}>
            {text('invite.conflict.update')}
          </Action>
          <Action isSmall act={() => resolve('NEW_ATTEMPT')}>
            {text('invite.conflict.newAttempt')}
          </Action>
        </p>
      </div>
    </div>
  )
}

function Invited({ session, isNew, isSent, again }: Done & { isSent: boolean; again(): void }) {
  const { candidateName: name, candidateEmail: email, inviteUrl } = session
  const words = !isNew ? 'invite.one.existing' : isSent ? 'invite.one.sent' : 'invite.one.link'
  return (
    <section class="card invite-one">
      <DoneHeading>{text(isNew ? 'invite.one.done' : 'invite.one.existing.title', { name })}</DoneHeading>
      <p class="muted">{text(words, { email, until: dayAndTime(endOfStart(session)) })}</p>
      {inviteUrl && (
        <div class="beside invite-link">
          <input class="field small" readOnly value={inviteUrl} aria-label={text('invite.link')} onFocus={(event) => event.currentTarget.select()} />
          <CopyButton value={inviteUrl} label={text('invite.link.copy')} />
        </div>
      )}
      <div class="go">
        <button type="button" class="button primary" onClick={again}>
          {text('invite.one.again')}
        </button>
        <a class="button" href={to(`/candidates/${session.id}`)}>
          {text('invite.one.show')}
        </a>
      </div>
    </section>
  )
}
