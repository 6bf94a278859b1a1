// The field for a code.
import { Field, focus } from '../core/forms.tsx'

interface Props {
  label: string
  hint?: string
  /** Whether it is a code of an authenticator app, which has only digits. */
  isDigits: boolean
  /** Whether another field comes first. */
  isLater?: boolean
  value: string
  change(value: string): void
}

/** A code can be pasted with spaces. */
export const compact = (code: string) => code.replaceAll(/\s/g, '')

export function CodeField({ label, hint, isDigits, isLater, value, change }: Props) {
  return (
    <Field label={label} hint={hint} pointer="/code">
      {(attributes) => (
        <input
          {...attributes}
          class="field second-factor-code"
          autocomplete={isDigits ? 'one-time-code' : 'off'}
          inputMode={isDigits ? 'numeric' : 'text'}
          autocapitalize="off"
          autoCorrect="off"
          spellcheck={false}
          dir="ltr"
          maxLength={40}
          ref={isLater ? undefined : focus}
          value={value}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
