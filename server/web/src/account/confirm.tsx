// The views at /confirm-email. The person must be signed in: nobody confirms an account that a stranger has registered
// with their address by opening the link.
import { useState } from 'preact/hooks'
import { text } from '../shared/i18n.tsx'
import { Form } from '../shared/form.tsx'
import { Heading, Note } from '../shared/parts.tsx'
import { go, isDamaged, token } from './link.ts'
import { LinkButton, Sheet } from './page.tsx'
import { change, isSignedIn } from './session.ts'

export function Confirm() {
  const [isOut, setOut] = useState(false)
  const send = async () => {
    const hasSignIn = await isSignedIn()
    setOut(!hasSignIn)
    if (!hasSignIn) return { kind: 'ok', data: undefined, sent: 0, received: 0 } as const
    const outcome = await change('PUT', 'v1/me/email-confirmation', { token: token() })
    if (outcome.kind === 'ok') go('confirmed')
    return outcome
  }
  return (
    <Sheet>
      <Heading>{text('confirm.title')}</Heading>
      <p>{text('confirm.text')}</p>
      {isOut && (
        <Note icon="warning" kind="warn">
          <p>{text('confirm.out')}</p>
          <p>
            <a href="app/sign-in" target="_blank" rel="noopener">
              {text('changed.signIn')}
            </a>
          </p>
        </Note>
      )}
      <Form
        label={text('confirm.send')}
        sendingLabel={text('confirm.sending')}
        field="app"
        check={() => true}
        send={send}
        refused={({ code }) => {
          go(code === 'confirmation_expired' ? 'confirmExpired' : 'confirmForeign')
          return true
        }}
      >
        {() => null}
      </Form>
    </Sheet>
  )
}

export function Confirmed() {
  return (
    <Sheet>
      <Heading>{text('confirmed.title')}</Heading>
      <p>{text('confirmed.text')}</p>
      <LinkButton label={text('joined.open')} href="app" />
    </Sheet>
  )
}

export function NoConfirmation() {
  return (
    <Sheet>
      <Heading>{text('confirm.title')}</Heading>
      {isDamaged.value && (
        <Note icon="warning" kind="warn">
          {text('link.damaged')}
        </Note>
      )}
      <p>{text('noConfirmation.text')}</p>
    </Sheet>
  )
}

export function ConfirmExpired() {
  return (
    <Sheet>
      <Heading>{text('confirmExpired.title')}</Heading>
      <p>{text('confirmExpired.text')}</p>
      <LinkButton label={text('joined.open')} href="app" />
    </Sheet>
  )
}

export function ConfirmForeign() {
  return (
    <Sheet>
      <Heading>{text('confirmForeign.title')}</Heading>
      <p>{text('confirmForeign.text')}</p>
      <LinkButton label={text('joined.open')} href="app" />
    </Sheet>
  )
}
