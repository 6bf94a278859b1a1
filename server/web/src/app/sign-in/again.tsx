// Asks for the password in place when the sign-in has ended. The screens below keep what they contain.
import { rich, text } from '../../shared/i18n.tsx'
import { Dialog } from '../core/dialogs.tsx'
import { me } from '../core/me.ts'
import { leave } from '../core/session.ts'
import { CompanySignIn } from '../company/lazy.ts'
import { SignInForm } from './form.tsx'

export function SignInAgain() {
  const { name, email } = me.value!
  return (
    <Dialog title={text('signIn.again')}>
      <p>{text('signIn.again.text')}</p>
      <p class="sign-in-person">
        <b translate={false}>{name}</b>
        <span class="muted">{email}</span>
      </p>
      <SignInForm known={email} />
      <CompanySignIn known={email} />
      <p class="small muted sign-in-other">
        {rich('signIn.again.notYou', {
          link: (
            <button type="button" class="link-button" onClick={leave}>
              {text('signIn.again.other')}
            </button>
          ),
        })}
      </p>
    </Dialog>
  )
}
