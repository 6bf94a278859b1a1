// The views at /accept-invitation.
import { rich, text } from '../shared/i18n.tsx'
import { Heading, Note } from '../shared/parts.tsx'
import { go, isDamaged } from './link.ts'
import { LinkButton, Sheet } from './page.tsx'
import { PasswordForm } from './password.tsx'
import { acceptInvitation } from './server.ts'

export function Invitation() {
  const send = async (password: string) => {
    const outcome = await acceptInvitation(password)
    if (outcome.kind === 'ok') {
      go('joined')
      location.replace('app')
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

/** Joined is visible until the dashboard appears. */
export function Joined() {
  return (
    <Sheet>
      <Heading>{text('joined.title')}</Heading>
      <LinkButton label={text('joined.open')} href="app" />
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
      <p>{rich('invitationUsed.text', { link: <a href="app/sign-in">{text('invitationUsed.signIn')}</a> })}</p>
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
