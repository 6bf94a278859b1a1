// Chooses the view of the page.
import { text } from '../shared/i18n.tsx'
import { LanguageMenu } from '../shared/language_menu.tsx'
import { isSpeechless } from '../shared/languages.ts'
import { Heading } from '../shared/parts.tsx'
import { Confirm, Confirmed, ConfirmExpired, ConfirmForeign, NoConfirmation } from './confirm.tsx'
import { Invitation, InvitationExpired, InvitationUsed, Joined, JoinedCompany, NoInvitation } from './invitation.tsx'
import { isSettled } from './languages.ts'
import { view } from './link.ts'
import { Sheet } from './page.tsx'
import { SecondFactor } from './second_factor.tsx'
import { Changed } from './review.tsx'
import { Forgot, NoEmail, Reset, ResetExpired, ResetUsed, Sent } from './reset.tsx'

const views = {
  invitation: Invitation,
  noInvitation: NoInvitation,
  invitationUsed: InvitationUsed,
  invitationExpired: InvitationExpired,
  joined: Joined,
  joinedCompany: JoinedCompany,
  secondFactor: SecondFactor,
  reset: Reset,
  forgot: Forgot,
  sent: Sent,
  noEmail: NoEmail,
  resetUsed: ResetUsed,
  resetExpired: ResetExpired,
  changed: Changed,
  confirm: Confirm,
  noConfirmation: NoConfirmation,
  confirmed: Confirmed,
  confirmExpired: ConfirmExpired,
  confirmForeign: ConfirmForeign,
}

export function App() {
  if (isSpeechless()) return <Unreachable />
  if (!isSettled()) return null
  const Shown = views[view.value]
  return (
    <>
      <LanguageMenu />
      <Shown />
    </>
  )
}

function Unreachable() {
  return (
    <Sheet>
      <Heading>{text('page.unreachable.title')}</Heading>
      <p>{text('page.unreachable.text')}</p>
    </Sheet>
  )
}
