// The form for a new password, or for the present one of a person who has an account. It has one field, and a button that shows it, because people copy a first field into a
// second one, and a second field disturbs password managers. It has no user name, because the server does not name an
// address to a person who only has a link.
import { useState } from 'preact/hooks'
import type { Outcome, Problem } from '../shared/api.ts'
import { PasswordField } from '../shared/fields.tsx'
import { Form } from '../shared/form.tsx'
import { text } from '../shared/i18n.tsx'

/** The lengths that NewPassword of openapi.yaml permits, in code points. */
const [shortest, longest] = [12, 128]

interface Props {
  label: string
  sendingLabel: string
  /** Whether the person has a password already. */
  isKnown?: boolean
  send(password: string): Promise<Outcome<unknown>>
  /** Handles any other refusal than that of the password. */
  refused(problem: Problem): void
}

/** PasswordForm sends a password that fits the contract. The server also refuses common ones. */
export function PasswordForm({ send, refused, isKnown = false, ...labels }: Props) {
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<Fault>()
  const check = () => {
    const length = [...password].length
    const found = isKnown ? (length === 0 ? 'invalid' : undefined) : length < shortest ? 'too_short' : length > longest ? 'too_long' : undefined
    setFault(found)
    return !found
  }
  return (
    <Form
      {...labels}
      field="password"
      check={check}
      send={() => send(password)}
      refused={(problem) => {
        const wrong = problem.errors.find(({ pointer }) => pointer === '/password')
        const isOther = problem.code === 'invalid_credentials'
        if (isOther) setFault('other')
        else if (wrong) setFault(wrong.code in faults ? (wrong.code as Fault) : 'invalid')
        else refused(problem)
        return !wrong && !isOther
      }}
    >
      {(isSending) => (
        <PasswordField
          id="password"
          isNew={!isKnown}
          label={text(isKnown ? 'password.known' : 'password.label')}
          {...(!isKnown && { hint: text('password.hint', { count: shortest }) })}
          error={fault && faults[fault]()}
          value={password}
          change={setPassword}
          isSending={isSending}
        />
      )}
    </Form>
  )
}

/**
 * What is wrong with a password: FieldErrorCode of openapi.yaml, `other` if the account has another password, and `invalid`
 * for any other.
 */
const faults = {
  too_short: () => text('password.tooShort', { count: shortest }),
  too_long: () => text('password.tooLong', { count: longest }),
  too_common: () => text('password.tooCommon'),
  other: () => text('password.other'),
  invalid: () => text('password.invalid'),
}
type Fault = keyof typeof faults
