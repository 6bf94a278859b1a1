// The views at /reset-password.
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { EmailField } from '../shared/fields.tsx'
import { Form } from '../shared/form.tsx'
import { rich, text } from '../shared/i18n.tsx'
import { Heading, Note } from '../shared/parts.tsx'
import { go, isDamaged } from './link.ts'
import { Action, Sheet } from './page.tsx'
import { PasswordForm } from './password.tsx'
import { ended } from './review.tsx'
import { askForSecondFactor } from './second_factor.tsx'
import { forgotPassword, resetPassword } from './server.ts'
import { visible } from '../shared/text.ts'

/** The address that the person has typed. */
const email = signal('')

export function Forgot() {
  const [isInvalid, setInvalid] = useState(false)
  const check = () => {
    // The server knows the exact rule.
    const isAddress = /^\s*\S+@\S+\s*$/.test(email.value)
    setInvalid(!isAddress)
    return isAddress
  }
  const send = async () => {
    const outcome = await forgotPassword(visible(email.value))
    if (outcome.kind === 'ok') go('sent')
    return outcome
  }
  return (
    <Sheet>
      <Heading>{text('forgot.title')}</Heading>
      {isDamaged.value && (
        <Note icon="warning" kind="warn">
          {text('link.damaged')}
        </Note>
      )}
      <p>{text('forgot.text')}</p>
      <Form
        label={text('forgot.send')}
        sendingLabel={text('forgot.sending')}
        field="email"
        check={check}
        send={send}
        refused={({ code }) => {
          const isInvalid = code !== 'email_not_configured'
          setInvalid(isInvalid)
          if (!isInvalid) go('noEmail')
          return !isInvalid
        }}
      >
        {() => (
          <EmailField
            id="email"
            label={text('forgot.email')}
            error={isInvalid ? text('forgot.invalid') : undefined}
            value={email.value}
            change={(value) => {
              email.value = value
            }}
          />
        )}
      </Form>
    </Sheet>
  )
}

export function Sent() {
  return (
    <Sheet>
      <Heading>{text('sent.title')}</Heading>
      <p>{text('sent.text')}</p>
      {email.value && <p>{rich('sent.address', { email: <b>{visible(email.value)}</b> })}</p>}
      <section>
        <h2>{text('sent.nothing')}</h2>
        <ul class="plain">
          <li>{text('sent.wait')}</li>
          <li>{text('sent.address.other')}</li>
          <li>{text('sent.ask')}</li>
        </ul>
      </section>
      <p class="go">
        <Action label={text('sent.again')} act={() => go('forgot')} />
      </p>
    </Sheet>
  )
}

export function NoEmail() {
  return (
    <Sheet>
      <Heading>{text('noEmail.title')}</Heading>
      <p>{text('noEmail.text')}</p>
    </Sheet>
  )
}

export function Reset() {
  const send = async (password: string) => {
    const outcome = await resetPassword(password)
    if (outcome.kind === 'ok') {
      ended.value = outcome.data.ended
      go('changed')
    }
    return outcome
  }
  return (
    <Sheet>
      <Heading>{text('reset.title')}</Heading>
      <p>{text('reset.text')}</p>
      <PasswordForm
        label={text('reset.change')}
        sendingLabel={text('reset.changing')}
        send={send}
        refused={({ code, secondFactor }) => {
          if (code === 'second_factor_required') askForSecondFactor(secondFactor!, 'changed')
          else if (code === 'sso_required') go('changed')
          else go(code === 'password_reset_expired' ? 'resetExpired' : 'resetUsed')
        }}
      />
    </Sheet>
  )
}

export function ResetUsed() {
  return (
    <Sheet>
      <Heading>{text('resetUsed.title')}</Heading>
      <p>{text('resetUsed.text')}</p>
      <NewLink />
    </Sheet>
  )
}

export function ResetExpired() {
  return (
    <Sheet>
      <Heading>{text('resetExpired.title')}</Heading>
      <p>{text('resetExpired.text')}</p>
      <NewLink />
    </Sheet>
  )
}

function NewLink() {
  return (
    <p class="go">
      <Action primary label={text('reset.newLink')} act={() => go('forgot')} />
    </p>
  )
}
