// The form for an email address and a password.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Form, TextField } from '../core/forms.tsx'
import { submit } from './submit.ts'

export function SignInForm({ email: known, done }: { email?: string; done(): void }) {
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  return (
    <Form
      label={text('signIn.submit')}
      busyLabel={text('signIn.busy')}
      send={() => submit({ type: 'login', email, password })}
      done={done}
    >
      <TextField
        label={text('signIn.email')}
        pointer="/email"
        type="email"
        autocomplete="username"
        value={email}
        change={setEmail}
      />
      <TextField
        label={text('signIn.password')}
        pointer="/password"
        type="password"
        autocomplete="current-password"
        value={password}
        change={setPassword}
      />
    </Form>
  )
}
