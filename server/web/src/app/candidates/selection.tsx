// What can be done with the selected candidates.
import { useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { save } from '../core/download.ts'
import { CheckField } from '../core/forms.tsx'
import { newKey } from '../core/keys.ts'
import { lazy } from '../core/lazy.ts'
import { Action, ActionLink } from '../core/page.tsx'
import { me } from '../core/me.ts'
import { to } from '../core/url.ts'
import { oneByOne } from './bulk.ts'
import { BulkDialog, type DialogProps } from './bulk_dialog.tsx'
import { csvOf, fileName, sessionsCsv } from './csv.ts'
import type { Session } from './sessions.ts'
import { canCancel, canResend, hasResult } from './status.tsx'

const SetTags = lazy(async () => (await import('./set_tags.tsx')).SetTags)
const SetState = lazy(async () => {
  const [{ SetState }, { loadEmailTexts }] = await Promise.all([import('./set_state.tsx'), import('../decision_email/load.ts')])
  await loadEmailTexts()
  return SetState
})

interface Props {
  sessions: Session[]
  /** How many of them the list does not show. */
  elsewhere: number
  title: string | undefined
  clear(): void
  changed(session: Session): void
  /** Called after an action, when its dialog closes. */
  done(): void
}

const mostCompared = 5

export function SelectionBar({ sessions, elsewhere, title, clear, done, ...props }: Props) {
  const [open, setOpen] = useState<'resend' | 'cancel' | 'state' | 'tags'>()
  const resendable = sessions.filter(canResend)
  const cancellable = sessions.filter(canCancel)
  const reviewed = sessions.filter(({ erasedAt }) => !erasedAt)
  // After an action the next one is about other candidates, so the selection ends.
  const hasChanged = useRef(false)
  const changed = (session: Session) => {
    hasChanged.current = true
    props.changed(session)
  }
  const close = () => {
    setOpen(undefined)
    done()
    if (hasChanged.current) clear()
    hasChanged.current = false
  }
  if (sessions.length === 0) return null
  return (
    <section class="selection" aria-label={text('candidates.selection')}>
      <b role="status">
        {text('candidates.selected', { count: sessions.length })}
        {elsewhere > 0 && text('candidates.selected.elsewhere', { count: elsewhere })}
      </b>
      <button type="button" class="link-button" onClick={clear}>
        {text('candidates.unselect')}
      </button>
      <span class="grow" />
      <ActionLink href={compareAddress(sessions)} reason={whyNotCompare(sessions)}>
        {text('candidates.compare')}
      </ActionLink>
      <Action act={() => save(sessionsCsv(sessions), fileName(text('candidates.export.file'), title))}>{text('candidates.exportSelected')}</Action>
      <Action act={() => setOpen('state')} reason={reviewed.length === 0 ? text('candidates.setState.none') : undefined}>
        {text('candidates.setState')}
      </Action>
      <Action act={() => setOpen('tags')} reason={reviewed.length === 0 ? text('candidates.setState.none') : undefined}>
        {text('candidates.setTags')}
      </Action>
      <Action act={() => setOpen('resend')} reason={resendable.length === 0 ? text('candidates.resend.none') : undefined}>
        {text('candidates.resend')}
      </Action>
      <Action act={() => setOpen('cancel')} reason={cancellable.length === 0 ? text('candidates.cancel.none') : undefined}>
        {text('candidates.cancel')}
      </Action>
      {open === 'state' && (
        <SetState sessions={reviewed} leftOut={sessions.length - reviewed.length} changed={changed} close={close} />
      )}
      {open === 'tags' && (
        <SetTags sessions={reviewed} leftOut={sessions.length - reviewed.length} changed={changed} close={close} />
      )}
      {open === 'resend' && (
        <Resend sessions={resendable} leftOut={sessions.length - resendable.length} title={title} changed={changed} close={close} />
      )}
      {open === 'cancel' && (
        <Cancel sessions={cancellable} leftOut={sessions.length - cancellable.length} changed={changed} close={close} />
      )}
    </section>
  )
}

function compareAddress(sessions: Session[]): string {
  return to('/compare', { ids: sessions.map(({ id }) => id).join(',') })
}

function whyNotCompare(sessions: Session[]): string | undefined {
  if (sessions.length < 2 || sessions.length > mostCompared) return text('candidates.compare.count')
  return sessions.every(hasResult) ? undefined : text('candidates.compare.unfinished')
}

function Resend({ title, ...props }: DialogProps & { title: string | undefined }) {
  // The list changes while the action runs.
  const [sessions] = useState(props.sessions)
  const [leftOut] = useState(props.leftOut)
  const { emailEnabled, sendInviteEmail } = me.value!.organization
  const [sendEmail, setSendEmail] = useState(emailEnabled && sendInviteEmail)
  const [key] = useState(() => newKey())
  const act = ({ id }: Session) =>
    ask(
      v1.POST('/v1/candidate-sessions/{id}/resend', {
        params: { path: { id }, header: { 'Idempotency-Key': `${key}-${id}` } },
        body: { sendEmail },
      }),
    )
  return (
    <BulkDialog
      {...props}
      sessions={sessions}
      leftOut={leftOut}
      title={text('candidates.resend.title', { count: sessions.length })}
      label={text('candidates.resend')}
      act={oneByOne(act)}
      succeeded={props.changed}
      after={(changed) => <Links sessions={changed} title={title} wasSent={sendEmail} />}
    >
      <p>{text('candidates.resend.text')}</p>
      <CheckField
        label={text('candidates.resend.email')}
        hint={text('candidates.resend.limit')}
        isChecked={sendEmail}
        change={setSendEmail}
        reason={emailEnabled ? undefined : text('candidates.resend.noEmail')}
      />
    </BulkDialog>
  )
}

function Links({ sessions, title, wasSent }: { sessions: Session[]; title: string | undefined; wasSent: boolean }) {
  const rows = sessions.map((session) => [session.candidateName, session.candidateEmail, session.inviteUrl, session.expiresAt, session.startUntil])
  const head = ['candidateName', 'candidateEmail', 'inviteUrl', 'expiresAt', 'startUntil']
  return (
    <>
      <p class="muted">{text(wasSent ? 'candidates.resend.sent' : 'candidates.resend.notSent')}</p>
      <p>
        <button type="button" class="button small" onClick={() => save(csvOf([head, ...rows]), fileName(text('candidates.export.file'), title))}>
          {text('candidates.resend.save')}
        </button>
      </p>
    </>
  )
}

function Cancel(props: DialogProps) {
  const [sessions] = useState(props.sessions)
  const [leftOut] = useState(props.leftOut)
  const act = ({ id }: Session) => ask(v1.POST('/v1/candidate-sessions/{id}/cancel', { params: { path: { id } } }))
  return (
    <BulkDialog
      {...props}
      sessions={sessions}
      leftOut={leftOut}
      title={text('candidates.cancel.title', { count: sessions.length })}
      label={text('candidates.cancel')}
      isDanger
      act={oneByOne(act)}
      succeeded={props.changed}
    >
      <p>{text('candidates.cancel.text')}</p>
    </BulkDialog>
  )
}
