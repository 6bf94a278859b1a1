// The fields of forms. A field keeps its text in the form that it belongs to.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { announce } from './announce.ts'
import { text } from './i18n.tsx'

interface Props {
  id: string
  label: string
  hint?: string
  /** What is wrong with the text, if something is. */
  error?: string | undefined
  value: string
  change(value: string): void
}

/** EmailField is for the address of an account, as password managers keep it. */
export function EmailField(props: Props) {
  return (
    <Labelled {...props}>
      {/* Browsers accept no international address in a field of type "email". */}
      <input
        {...attributes(props)}
        inputMode="email"
        autocapitalize="none"
        autoCorrect="off"
        spellcheck={false}
        autocomplete="username"
        dir="ltr"
        maxLength={254}
      />
    </Labelled>
  )
}

/** CodeField is for a code of an authenticator app, which has only digits, or for a recovery code. */
export function CodeField({ isDigits, ...props }: Props & { isDigits: boolean }) {
  return (
    <Labelled {...props}>
      <input
        {...attributes(props)}
        inputMode={isDigits ? 'numeric' : 'text'}
        autocomplete={isDigits ? 'one-time-code' : 'off'}
        autoCorrect="off"
        dir="ltr"
        maxLength={40}
      />
    </Labelled>
  )
}

/**
 * PasswordField is for a password that the person chooses, or for the present one. There is no second field
 * for a repetition: the person can look at the password instead.
 */
export function PasswordField({ isSending, isNew, ...props }: Props & { isSending: boolean; isNew: boolean }) {
  const [isShown, setShown] = useState(false)
  // A browser could remember what was sent in a visible field, as it does for names.
  useLayoutEffect(() => {
    if (isSending) setShown(false)
  }, [isSending])
  const toggle = () => {
    setShown(!isShown)
    announce(text(isShown ? 'password.hidden' : 'password.shown'))
  }
  return (
    <Labelled {...props}>
      <div class="beside">
        {/* The types of Preact do not permit a choice of types. */}
        <input
          {...attributes(props)}
          type={(isShown ? 'text' : 'password') as 'text'}
          autocomplete={isNew ? 'new-password' : 'current-password'}
          dir="ltr"
        />
        <button type="button" class="button" aria-controls={props.id} onClick={toggle}>
          {text(isShown ? 'password.hide' : 'password.show')}
        </button>
      </div>
    </Labelled>
  )
}

function Labelled({ id, label, hint, error, children }: Props & { children: ComponentChildren }) {
  // The form moves the focus to the field, but screen readers say nothing if it is there already.
  useEffect(() => {
    if (error) announce(error, 'assertive')
  }, [error])
  return (
    <>
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </>
  )
}

function attributes({ id, hint, error, value, change }: Props) {
  return {
    id,
    name: id,
    class: 'field',
    value,
    required: true,
    autocapitalize: 'off',
    spellcheck: false, // some browsers would send a visible password to a server that checks spelling
    'aria-invalid': error !== undefined,
    'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
    onInput: (event: { currentTarget: HTMLInputElement }) => change(event.currentTarget.value),
  } as const
}
