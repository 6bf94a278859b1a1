// What a person sees without a sign-in.

import { rich, text } from '../../shared/i18n.tsx'
import { base, registration } from '../core/session.ts'
import { to, useAddress } from '../core/url.ts'
import { CompanyError, CompanySignIn } from '../company/lazy.ts'
import { SignInForm } from './form.tsx'
import { nextOf, outsidePaths } from './next.ts'
import { RegisterForm } from './register.tsx'
import { Sheet } from './sheet.tsx'

export default function Outside() {
  const { path } = useAddress()
  if (path !== '/register') return <SignIn />
  return registration.value === 'CLOSED' ? <Closed /> : <Register />
}

/** useNext returns the parameters of a link between the forms: the screen that was asked for stays. */
function useNext(): { next: string | undefined } {
  const { path, query } = useAddress()
  const next = outsidePaths.includes(path) ? nextOf(query.next) : location.pathname + location.search
  return { next: next === to('/') ? undefined : next }
}

function SignIn() {
  const next = useNext()
  const { query } = useAddress()
  const isSetup = registration.value.startsWith('SETUP')
  const register = <a href={to('/register', next)}>{text(isSetup ? 'signIn.setup.link' : 'signIn.register.link')}</a>
  const foot =
    registration.value === 'CLOSED' ? (
      <p>{text('signIn.closed')}</p>
    ) : (
      <p>{rich(isSetup ? 'signIn.setup' : 'signIn.register', { link: register })}</p>
    )
  return (
    <Sheet title={text('signIn.title')} foot={foot}>
      {query.error && <CompanyError code={query.error} />}
      <SignInForm />
      <p class="outside-forgot">
        <a href={new URL('reset-password', base).href}>{text('signIn.forgot')}</a>
      </p>
      <CompanySignIn />
    </Sheet>
  )
}

function Register() {
  const next = useNext()
  const isSetup = registration.value !== 'OPEN'
  return (
    <Sheet
      title={text(isSetup ? 'register.setup.title' : 'register.title')}
      lead={text(isSetup ? 'register.setup.text' : 'register.text')}
      foot={
        <p>{rich('register.signIn', { link: <a href={to('/sign-in', next)}>{text('register.signIn.link')}</a> })}</p>
      }
    >
      <RegisterForm />
    </Sheet>
  )
}

function Closed() {
  const next = useNext()
  return (
    <Sheet title={text('register.closed.title')} lead={text('register.closed.text')}>
      <div class="go">
        <a class="button primary" href={to('/sign-in', next)}>
          {text('signIn.title')}
        </a>
      </div>
    </Sheet>
  )
}
