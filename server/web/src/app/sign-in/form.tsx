// The form for an email address and a password.
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

/** The refusals after which the sign-in continues in another way. */
const continued = /^(second_factor|sso)_required$/

/** SignInForm asks for the password only, if the person is known. */
export function SignInForm({ known }: { known?: string }) {
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [{ problem, note }, setNext] = useState<{ problem?: Fault['problem']; note?: string | undefined }>({})
  const email = known ?? visible(typed)
  const check = () => ({
    ...(!email && { '/email': text('field.required') }),
    ...(!password && { '/password': text('field.required') }),
  })
  if (problem) return <AfterPassword problem={problem} email={email} back={(note) => setNext({ note })} />
  return (
    <Form
      draft={undefined}
      label={text('signIn.submit')}
      busyLabel={text('signIn.busy')}
      check={check}
      send={() => submit({ type: 'login', email, password, ...(known && { organizationId: me.value?.organization.id }) })}
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
  )
}
