// The form for an email address and a password.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Form, TextField } from '../core/forms.tsx'
import { KnownEmail, PasswordField } from '../core/password.tsx'
import { submit } from './submit.ts'
import { visible } from '../../shared/text.ts'

/** SignInForm asks for the password only, if the person is known. */
export function SignInForm({ known }: { known?: string }) {
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const email = known ?? visible(typed)
  const check = () => ({
    ...(!email && { '/email': text('field.required') }),
    ...(!password && { '/password': text('field.required') }),
  })
  return (
    <Form
      draft={undefined}
      label={text('signIn.submit')}
      busyLabel={text('signIn.busy')}
      check={check}
      send={() => submit({ type: 'login', email, password })}
      done={() => setPassword('')}
    >
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
