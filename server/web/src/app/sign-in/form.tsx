// The form for an email address and a password.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Fault } from '../core/api.ts'
import { Form, TextField } from '../core/forms.tsx'
import { lazy } from '../core/lazy.ts'
import { me } from '../core/me.ts'
import { KnownEmail, PasswordField } from '../core/password.tsx'
import { submit } from './submit.ts'
import { visible } from '../../shared/text.ts'

const AfterPassword = lazy(async () => (await import('../second_factor/entry.ts')).afterPassword())

/** The person has chosen the sign-in of a company. No request was refused. */
const company = { code: '', detail: '', errors: [] }

/** The refusals after which the sign-in continues in another way. */
const continued = /^(second_factor|sso)_required$/

interface Props {
  /** The address, if the person is known. The form then asks for the password only. */
  known?: string
  /** What is below the form for the password, and not below what follows it. */
  children?: ComponentChildren
}

export function SignInForm({ known, children }: Props) {
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const before = known === undefined ? undefined : me.value
  const [{ problem, note }, setNext] = useState<{ problem?: Fault['problem']; note?: string | undefined }>(
    before?.signInMethod === 'PROVIDER' ? { problem: company } : {},
  )
  const email = known ?? visible(typed)
  const organizationId = before?.organization.id
  const check = () => ({
    ...(!email && { '/email': text('field.required') }),
    ...(!password && { '/password': text('field.required') }),
  })
  if (problem) {
    const back = (note?: string) => setNext({ note })
    return <AfterPassword problem={problem} email={email} organizationId={organizationId} back={back} />
  }
  return (
    <>
      <Form
        draft={undefined}
        label={text('signIn.submit')}
        busyLabel={text('signIn.busy')}
        check={check}
        send={() => submit({ type: 'login', email, password, organizationId })}
        done={() => setPassword('')}
        refused={({ problem }) => {
          if (!continued.test(problem?.code ?? '')) return false
          setPassword('')
          setNext({ problem })
          return true
        }}
      >
        {note && <p class="note warn">{note}</p>}
        {known ? (
          <KnownEmail email={known} />
        ) : (
          <TextField
            label={text('signIn.email')}
            pointer="/email"
            type="email"
            autocomplete="username"
            value={typed}
            change={setTyped}
          />
        )}
        <PasswordField
          label={text('signIn.password')}
          pointer="/password"
          value={password}
          change={setPassword}
          hasFocus={known !== undefined}
        />
      </Form>
      {children}
      <p class="outside-forgot">
        <button type="button" class="link-button" onClick={() => setNext({ problem: company })}>
          {text('signIn.company')}
        </button>
      </p>
    </>
  )
}
