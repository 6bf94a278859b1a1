// The views at /accept-invitation.
import { signal } from '@preact/signals'
import { rich, text } from '../shared/i18n.tsx'
import { Fact, Heading, Note } from '../shared/parts.tsx'
import { go, isDamaged } from './link.ts'
import { Documentation, Sheet } from './page.tsx'
import { PasswordForm } from './password.tsx'
import { acceptInvitation, type Joined as Person } from './server.ts'

const joined = signal<Person | undefined>(undefined)

export function Invitation() {
  const send = async (password: string) => {
    const outcome = await acceptInvitation(password)
    if (outcome.kind === 'ok') {
      joined.value = outcome.data
      go('joined')
    }
    return outcome
  }
  return (
    <Sheet>
      <Heading>{text('invitation.title')}</Heading>
      <p>{text('invitation.text')}</p>
      <PasswordForm
        label={text('invitation.join')}
        sendingLabel={text('invitation.joining')}
        send={send}
        refused={({ code }) => {
          if (code === 'invitation_expired') go('invitationExpired')
          else go(code === 'email_taken' ? 'taken' : 'invitationUsed')
        }}
      />
    </Sheet>
  )
}

const roles = {
  OWNER: () => text('joined.role.OWNER'),
  ADMIN: () => text('joined.role.ADMIN'),
  MEMBER: () => text('joined.role.MEMBER'),
}

/** Joined names the organization, but not after a reload, because the page keeps no names. */
export function Joined() {
  const { organization, email, role } = joined.value ?? {}
  const meaning = role === undefined ? undefined : roles[role as keyof typeof roles]
  return (
    <Sheet>
      <Heading>{organization ? rich('joined.title', { organization }) : text('joined.title.unnamed')}</Heading>
      <ul class="facts">
        {meaning && <Fact icon="person">{meaning()}</Fact>}
        <Fact icon="check">
          {email ? rich('joined.signIn', { email: <b>{email}</b> }) : text('joined.signIn.unnamed')}
        </Fact>
      </ul>
      <Documentation />
    </Sheet>
  )
}

export function NoInvitation() {
  return (
    <Sheet>
      <Heading>{text('noInvitation.title')}</Heading>
      {isDamaged.value && (
        <Note icon="warning" kind="warn">
          {text('link.damaged')}
        </Note>
      )}
      <p>{text('noInvitation.text')}</p>
      <p>{text('invitation.ask')}</p>
    </Sheet>
  )
}

export function InvitationUsed() {
  return (
    <Sheet>
      <Heading>{text('invitationUsed.title')}</Heading>
      <p>{text('invitationUsed.text')}</p>
      <p>
        {rich('invitationUsed.forgot', {
          link: <a href="reset-password">{text('invitationUsed.forgot.link')}</a>,
        })}
      </p>
      <p>{text('invitation.ask')}</p>
    </Sheet>
  )
}

export function InvitationExpired() {
  return (
    <Sheet>
      <Heading>{text('invitationExpired.title')}</Heading>
      <p>{text('invitationExpired.text')}</p>
    </Sheet>
  )
}

export function Taken() {
  return (
    <Sheet>
      <Heading>{text('taken.title')}</Heading>
      <p>{text('taken.text')}</p>
      <p>{text('taken.ask')}</p>
    </Sheet>
  )
}
