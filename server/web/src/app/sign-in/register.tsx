// The form for a new organization and its first person.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Answer } from '../core/api.ts'
import { Form, TextField } from '../core/forms.tsx'
import { newPasswordFault, PasswordField } from '../core/password.tsx'
import { registration } from '../core/session.ts'
import { forgetSetupToken, setupToken } from './setup_token.ts'
import { atField, submit } from './submit.ts'
import { isBlank, visible } from '../../shared/text.ts'

const none = { organizationName: '', name: '', email: '', password: '', setupToken: '' }
type Values = typeof none

export function RegisterForm() {
  const [values, setValues] = useState(none)
  const [hasToken, setHasToken] = useState(setupToken() !== undefined)
  const set = (name: keyof Values) => (value: string) => setValues((before) => ({ ...before, [name]: value }))
  const needsToken = registration.value === 'SETUP'
  const asksForToken = needsToken && !hasToken

  const send = async (key: string): Promise<Answer<undefined>> => {
    const { organizationName, name, email, password } = values
    const token = needsToken ? (setupToken() ?? values.setupToken.trim()) : undefined
    const request = { type: 'register', organizationName, name, email: visible(email), password } as const
    const answer = await submit({ ...request, ...(token && { setupToken: token }) }, key)
    if (answer.ok) forgetSetupToken()
    if (answer.ok) return answer
    const { fault } = answer
    switch (fault.problem?.code) {
      case 'email_taken':
        return { ok: false, fault: atField(fault, '/email', 'taken', text('register.taken')) }
      case 'setup_token_required':
        forgetSetupToken()
        setHasToken(false)
        return { ok: false, fault: atField(fault, '/setupToken', 'wrong', text('register.token.wrong')) }
    }
    return answer
  }
  return (
    <Form
      draft={undefined}
      label={text('register.submit')}
      busyLabel={text('register.busy')}
      check={() => check(values, asksForToken)}
      send={send}
      done={() => undefined}
    >
      <Fields values={values} set={set} />
      {asksForToken && (
        <TextField
          label={text('register.token')}
          hint={text('register.token.hint')}
          pointer="/setupToken"
          value={values.setupToken}
          change={set('setupToken')}
        />
      )}
    </Form>
  )
}

function check(values: Values, asksForToken: boolean): Record<string, string> {
  const found: Record<string, string> = {}
  const names = ['organizationName', 'name', 'email', 'setupToken'] as const
  for (const name of names) {
    if (name === 'setupToken' && !asksForToken) continue
    if (isBlank(values[name])) found[`/${name}`] = text('field.required')
  }
  const fault = newPasswordFault(values.password)
  if (fault) found['/password'] = fault
  return found
}

function Fields({ values, set }: { values: Values; set(name: keyof Values): (value: string) => void }) {
  return (
    <>
      <TextField
        label={text('register.organization')}
        hint={text('register.organization.hint')}
        pointer="/organizationName"
        autocomplete="organization"
        maxLength={200}
        value={values.organizationName}
        change={set('organizationName')}
      />
      <TextField
        label={text('register.name')}
        pointer="/name"
        autocomplete="name"
        maxLength={200}
        value={values.name}
        change={set('name')}
      />
      <TextField
        label={text('register.email')}
        pointer="/email"
        type="email"
        autocomplete="username"
        maxLength={254}
        value={values.email}
        change={set('email')}
      />
      <PasswordField
        label={text('signIn.password')}
        pointer="/password"
        isNew
        value={values.password}
        change={set('password')}
      />
    </>
  )
}
