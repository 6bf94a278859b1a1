// Asks for the password in place when the sign-in has ended. The screens below keep what they contain.
import { text } from '../../shared/i18n.tsx'
import { Dialog } from '../core/dialogs.tsx'
import { me } from '../core/session.ts'
import { SignInForm } from './form.tsx'

export function SignInAgain() {
  return (
    <Dialog title={text('signIn.again')} close={() => undefined}>
      <p>{text('signIn.again.text')}</p>
      <SignInForm email={me.value!.email} done={() => undefined} />
    </Dialog>
  )
}
