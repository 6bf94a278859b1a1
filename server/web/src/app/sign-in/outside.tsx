// What a person sees without a sign-in.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { LanguageMenu } from '../../shared/language_menu.tsx'
import { Heading } from '../../shared/parts.tsx'
import { base, registration, start } from '../core/session.ts'
import { to, useAddress } from '../core/url.ts'
import { SignInForm } from './form.tsx'
import { nextOf, outsidePaths } from './next.ts'
import { RegisterForm } from './register.tsx'

export function Outside() {
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

function Sheet({ title, lead, children, foot }: {
  title: string
  lead?: ComponentChildren
  children?: ComponentChildren
  foot?: ComponentChildren
}) {
  return (
    <>
      <main class="outside">
        <p class="outside-brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M8 24 16 7l8 17M11.5 18h9" />
          </svg>
          Assay
        </p>
        <div class="outside-card" key={title}>
          <Heading context={['Assay']}>{title}</Heading>
          {lead && <p class="outside-lead">{lead}</p>}
          {children}
        </div>
        {foot && <div class="outside-foot">{foot}</div>}
      </main>
      <LanguageMenu />
    </>
  )
}

function SignIn() {
  const next = useNext()
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
      <SignInForm />
      <p class="outside-forgot">
        <a href={new URL('reset-password', base).href}>{text('signIn.forgot')}</a>
      </p>
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

/** Unreachable is shown when the page cannot find out whether there is a sign-in. */
export function Unreachable() {
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    if (isBusy) return
    setBusy(true)
    await start()
    setBusy(false)
  }
  useEffect(() => {
    const timer = setInterval(() => void retry(), 10_000)
    addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      removeEventListener('online', retry)
    }
  })
  return (
    <Sheet title={text('page.unreachable.title')} lead={text('page.unreachable.again')}>
      <div class="go">
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void retry()}>
          {text(isBusy ? 'page.unreachable.busy' : 'fault.retry')}
        </button>
      </div>
    </Sheet>
  )
}
