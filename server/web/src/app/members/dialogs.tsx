// Inviting, renewing an invitation, and removing a member.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { Confirm, Dialog } from '../core/dialogs.tsx'
import { day } from '../core/formats.tsx'
import { Form, TextField } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { newKey } from '../core/keys.ts'
import { notify } from '../core/notices.tsx'
import { needs, type Role } from '../core/roles.ts'
import { me } from '../core/me.ts'
import { signOut } from '../core/session.ts'
import { CopyButton, messageOf } from '../core/states.tsx'
import { AccessChoice, Permissions } from './lazy.ts'
import type { Seen } from './access.tsx'
import { canBeLimited, nameOfRole } from './role_name.ts'
import { isBlank, visible } from '../../shared/text.ts'

export type Invited = Schemas['InvitedMember']
type Member = Schemas['Member']

const roles: Role[] = ['REVIEWER', 'MEMBER', 'EDITOR', 'ADMIN', 'OWNER']

export function InviteDialog({ close, done }: { close(): void; done(invited: Invited): void }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('MEMBER')
  const [chosen, setSeen] = useState<Seen>(null)
  const seen = role === 'REVIEWER' ? (chosen ?? []) : role === 'MEMBER' ? chosen : null
  const send = async (key: string): Promise<Answer<Invited>> => {
    const answer = await ask(
      v1.POST('/v1/members', {
        params: { header: { 'Idempotency-Key': key } },
        body: { name, email: visible(email), role, assessmentIds: seen },
      }),
    )
    if (answer.ok || answer.fault.problem?.code !== 'already_member') return answer
    const errors = [{ in: 'body', pointer: '/email', code: 'taken', detail: text('members.taken') }]
    return { ok: false, fault: { ...answer.fault, problem: { ...answer.fault.problem, errors } } }
  }
  const check = () => ({
    ...(isBlank(name) && { '/name': text('field.required') }),
    ...(isBlank(email) && { '/email': text('field.required') }),
    ...(seen?.length === 0 && { '/assessmentIds': text('members.access.choose') }),
  })
  return (
    <Dialog title={text('members.invite.title')} close={close}>
      <Form
        draft="invite"
        label={text('members.invite.submit')}
        busyLabel={text('members.invite.busy')}
        check={check}
        send={send}
        done={done}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      >
        <TextField label={text('members.name')} pointer="/name" maxLength={200} value={name} change={setName} />
        <TextField
          label={text('members.email')}
          pointer="/email"
          type="email"
          maxLength={254}
          value={email}
          change={setEmail}
        />
        <fieldset class="members-choice">
          <legend>{text('members.role')}</legend>
          {roles.map((value) => (
            <RoleChoice key={value} value={value} role={role} change={setRole} />
          ))}
        </fieldset>
        {canBeLimited(role) && <AccessChoice seen={seen} role={role} change={setSeen} />}
        <Permissions role={role} />
      </Form>
    </Dialog>
  )
}

function RoleChoice({ value, role, change }: { value: Role; role: Role; change(role: Role): void }) {
  const reason = value === 'OWNER' ? needs('OWNER') : undefined
  return (
    <label class="tick" title={reason}>
      <input
        type="radio"
        name="role"
        checked={role === value}
        disabled={reason !== undefined}
        onChange={() => change(value)}
      />
      <span>
        {nameOfRole(value)}
        <span class="hint">{reason ?? text(`members.role.${value}.text`)}</span>
      </span>
    </label>
  )
}

/** LinkDialog shows a link that nothing shows again. */
export function LinkDialog({ invited, close }: { invited: Invited; close(): void }) {
  const { name, email, invitationUrl, invitationExpiresAt } = invited
  const isSent = me.value!.organization.emailEnabled
  return (
    <Dialog title={text('members.link.title', { name })} close={close}>
      <div class={isSent ? 'note good' : 'note warn'}>
        <Icon name={isSent ? 'mail' : 'warning'} />
        <p>{isSent ? rich('members.link.sent', { email: <b>{email}</b> }) : text('members.link.notSent')}</p>
      </div>
      <div class="form-row members-link">
        <label for="members-link">{text('members.link.label')}</label>
        <div class="beside">
          <input
            id="members-link"
            class="field"
            readOnly
            dir="ltr"
            value={invitationUrl}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton value={invitationUrl} />
        </div>
        <p class="hint">
          {text('members.link.text', { day: invitationExpiresAt ? day(invitationExpiresAt) : '' })}
        </p>
      </div>
      <div class="go">
        <button type="button" class="button primary" onClick={close}>
          {text('members.link.done')}
        </button>
      </div>
    </Dialog>
  )
}

/** renew makes a new invitation link, and shows it. */
export async function renew({ id, name }: Member, show: (invited: Invited) => void): Promise<void> {
  const header = { 'Idempotency-Key': newKey() }
  const answer = await ask(v1.POST('/v1/members/{id}/resend', { params: { path: { id }, header } }))
  if (answer.ok) show(answer.data)
  else if (answer.fault.status === 429) notify(text('members.renew.limited', { name }))
  else notify(messageOf(answer.fault))
}

export function RemoveDialog({ member, close, done }: { member: Member; close(): void; done(): void }) {
  const { id, name, email, status } = member
  const isOwn = id === me.value!.id
  const organization = me.value!.organization.name
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/members/{id}', { params: { path: { id } } }))
    if (!answer.ok) return answer.fault
    if (isOwn) void signOut()
    else {
      notify(text('members.removed', { name }))
      done()
    }
    return undefined
  }
  const title = isOwn ? text('members.leave.title', { organization }) : text('members.remove.title', { name })
  return (
    <Confirm title={title} label={text(isOwn ? 'members.leave' : 'members.remove')} isDanger act={act} close={close}>
      <p>
        {isOwn
          ? text('members.leave.text')
          : text(status === 'INVITED' ? 'members.remove.invited' : 'members.remove.text', { name, email })}
      </p>
      {status === 'ACTIVE' && <p class="muted">{text('members.remove.keys')}</p>}
    </Confirm>
  )
}
