// The fields for passwords. Password managers fill them in, and the person can look at the password.
import { useState } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { Field, focus } from './forms.tsx'

interface Props {
  label: string
  pointer: string
  value: string
  change(value: string): void
  /** Whether the person chooses a new password. */
  isNew?: boolean
  hasFocus?: boolean
}

/** The lengths that NewPassword of openapi.yaml permits, in code points. */
const [shortest, longest] = [12, 128]

/** newPasswordFault returns why the server would refuse a new password, or undefined. It also refuses common ones. */
export function newPasswordFault(password: string): string | undefined {
  const length = [...password].length
  if (length < shortest) return text('password.tooShort', { count: shortest })
  if (length > longest) return text('password.tooLong', { count: longest })
  return undefined
}

export function PasswordField({ label, pointer, value, change, isNew = false, hasFocus }: Props) {
  const [isShown, setShown] = useState(false)
  const toggle = () => {
    setShown(!isShown)
    announce(text(isShown ? 'password.hidden' : 'password.shown'))
  }
  return (
    <Field label={label} pointer={pointer} hint={isNew && text('password.hint', { count: shortest })}>
      {(attributes) => (
        <div class="beside">
          <input
            {...attributes}
            // The types of Preact do not permit a choice of types.
            type={(isShown ? 'text' : 'password') as 'text'}
            autocomplete={isNew ? 'new-password' : 'current-password'}
            autocapitalize="off"
            spellcheck={false} // some browsers would send a visible password to a server that checks spelling
            dir="ltr"
            ref={hasFocus ? focus : undefined}
            value={value}
            onInput={(event) => change(event.currentTarget.value)}
          />
          <button type="button" class="button small" aria-controls={attributes.id} onClick={toggle}>
            {text(isShown ? 'password.hide' : 'password.show')}
          </button>
        </div>
      )}
    </Field>
  )
}

/** KnownEmail is how password managers find the account in a form that does not ask for the address. */
export function KnownEmail({ email }: { email: string }) {
  return (
    <input
      class="unseen"
      type="email"
      autocomplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}
