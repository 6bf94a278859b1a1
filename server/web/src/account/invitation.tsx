// The views at /accept-invitation.
import { useState } from 'preact/hooks'
import { rich, text } from '../shared/i18n.tsx'
import { Heading, Note } from '../shared/parts.tsx'
import { go, isDamaged } from './link.ts'
import { Action, LinkButton, Sheet } from './page.tsx'
import { PasswordForm } from './password.tsx'
import { askForSecondFactor } from './second_factor.tsx'
import { acceptInvitation } from './server.ts'

export function Invitation() {
  const [isKnown, setKnown] = useState(false)
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
        key={isKnown}
        isKnown={isKnown}
        label={text('invitation.join')}
        sendingLabel={text('invitation.joining')}
        send={send}
        refused={({ code, secondFactor }) => {
          if (code === 'second_factor_required') askForSecondFactor(secondFactor!, 'joined')
          else if (code === 'sso_required') go('joinedCompany')
          else go(code === 'invitation_expired' ? 'invitationExpired' : 'invitationUsed')
        }}
      />
      <p>{text(isKnown ? 'invitation.known' : 'invitation.unknown')}</p>
      <p class="go">
        <Action label={text(isKnown ? 'invitation.choose' : 'invitation.use')} act={() => setKnown(!isKnown)} />
      </p>
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

/** JoinedCompany is for an organization that requires its own sign-in. */
export function JoinedCompany() {
  return (
    <Sheet>
      <Heading>{text('joined.title')}</Heading>
      <p>{text('joined.company')}</p>
      <LinkButton label={text('changed.signIn')} href="app/sign-in" />
    </Sheet>
  )
}
