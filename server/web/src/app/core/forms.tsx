// Forms that send one request. The server checks the fields; its errors appear beside them.
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Answer, Fault } from './api.ts'
import type { First, State } from './draft.tsx'
import { fieldFaults } from './faults.ts'
import { newKey } from './keys.ts'
import { lazy } from './lazy.ts'
import { FaultNote, useCountdown } from './states.tsx'

const Draft = lazy(async () => (await import('./draft.tsx')).Draft)

/** The errors of the fields, by JSON Pointer. */
export const Errors = createContext<Record<string, string>>({})

interface FormProps<T> {
  /** The name of the form on its screen. The tab keeps what was typed under it. Without one, it keeps nothing. */
  draft: string | undefined
  label: string
  /** The label of the button while the request runs. */
  busyLabel?: string
  /** Sends the request. The key is the same for each attempt of this form, for Idempotency-Key. */
  send(key: string): Promise<Answer<T>>
  done(data: T): void
  /** Checks in the browser before anything is sent. Returns texts by JSON Pointer. */
  check?(): Record<string, string>
  /** Handles a refusal elsewhere. Returns true if it has. */
  refused?(fault: Fault): boolean
  /** Further buttons. */
  actions?: ComponentChildren
  reason?: string | undefined
  children: ComponentChildren
}

export function Form<T>(props: FormProps<T>) {
  const { draft, label, busyLabel, send, done, check, refused, actions, reason, children } = props
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [own, setOwn] = useState<Record<string, string>>({})
  const [key, setKey] = useState(() => newKey())
  const form = useRef<HTMLFormElement>(null)
  const saved = useRef<(() => void) | undefined>(undefined)
  const first = useRef<First>(new Map())
  useLayoutEffect(() => {
    // A person can type before the code for drafts is loaded, also in a field that appears meanwhile.
    for (const field of form.current!.elements as Iterable<Element & State>) {
      if (!first.current.has(field)) first.current.set(field, { value: field.value, checked: field.checked })
    }
  })
  const left = useCountdown(fault)
  const errors = { ...fieldFaults(fault), ...own }
  const focusFirst = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())

  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy || left > 0 || reason) return
    const found = check?.() ?? {}
    setOwn(found)
    setFault(undefined)
    if (Object.keys(found).length > 0) return focusFirst()
    setBusy(true)
    const answer = await send(key)
    setBusy(false)
    if (answer.ok) {
      setKey(newKey()) // the next submission is another request
      saved.current?.()
      return done(answer.data)
    }
    // A refused request can be changed and sent again. The server remembers the key with the old body.
    if (answer.fault.status !== 0 && answer.fault.status < 500) setKey(newKey())
    if (refused?.(answer.fault)) return
    setFault(answer.fault)
    focusFirst()
  }
  // A note is needed if no field shows the error.
  const isShownInFields = fault !== undefined && Object.keys(fieldFaults(fault)).length > 0
  return (
    <Errors.Provider value={errors}>
      <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
        {draft && <Draft form={form} name={draft} first={first.current} saved={saved} />}
        {children}
        {fault && !isShownInFields && <FaultNote fault={fault} />}
        {isShownInFields && (
          <p class="error" role="alert">
            {text('form.faults')}
          </p>
        )}
        <div class="go">
          <button class="button primary" aria-disabled={isBusy || left > 0 || Boolean(reason)} title={reason}>
            {isBusy ? (busyLabel ?? text('form.busy')) : label}
          </button>
          {actions}
        </div>
        {reason && <p class="hint">{reason}</p>}
      </form>
    </Errors.Provider>
  )
}

interface FieldProps {
  /** The name of the field in the form, if another field can have its pointer. */
  name?: string
  label: string
  hint?: ComponentChildren
  /** The JSON Pointer of the field in the request, for example "/name". */
  pointer: string
  isOptional?: boolean
  children(attributes: FieldAttributes): ComponentChildren
}

export interface FieldAttributes {
  id: string
  name: string
  class: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

/** Field gives a control its label, hint, and error. */
export function Field({ name = '', label, hint, pointer, isOptional, children }: FieldProps) {
  const error = useContext(Errors)[pointer]
  const id = `field${pointer.replaceAll(/[^\w]+/g, '-')}`
  return (
    <div class="form-row">
      <label for={id}>
        {label} {isOptional && <span class="muted optional">{text('form.optional')}</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {children({
        id,
        name: name || pointer.slice(1),
        class: 'field',
        'aria-invalid': error !== undefined,
        'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
      })}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  )
}

interface TextProps extends Omit<FieldProps, 'children'> {
  value: string
  change(value: string): void
  type?: 'text' | 'email' | 'url' | 'password' | 'number' | 'datetime-local' | 'date' | 'search'
  autocomplete?: string
  maxLength?: number
  rows?: number
  placeholder?: string
  hasFocus?: boolean
}

/** focus is a ref. Browsers ignore autofocus in what appears after the page has loaded. */
export const focus = (element: HTMLElement | null) => element?.focus()

/** Keyboards must not change an address. */
const forAddresses = {
  inputMode: 'email',
  autocapitalize: 'none',
  autoCorrect: 'off',
  spellcheck: false,
} as const

/** TextField is a field of one line, or of several with `rows`. */
export function TextField(props: TextProps) {
  const { value, change, type = 'text', autocomplete, maxLength, rows, placeholder, hasFocus } = props
  return (
    <Field {...props}>
      {(attributes) =>
        rows ? (
          <textarea
            {...attributes}
            rows={rows}
            value={value}
            maxLength={maxLength}
            placeholder={placeholder}
            onInput={(event) => change(event.currentTarget.value)}
          />
        ) : (
          <input
            {...attributes}
            // Browsers accept no international address in a field of type "email". The types of Preact do not permit a
            // choice of types.
            type={(type === 'email' ? 'text' : type) as 'text'}
            value={value}
            maxLength={maxLength}
            placeholder={placeholder}
            autocomplete={(autocomplete ?? 'off') as 'off'}
            {...(type === 'email' ? forAddresses : {})}
            ref={hasFocus ? focus : undefined}
            onInput={(event) => change(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}

interface SelectProps extends Omit<FieldProps, 'children'> {
  value: string
  change(value: string): void
  options: { value: string; label: string }[]
}

export function SelectField(props: SelectProps) {
  return (
    <Field {...props}>
      {(attributes) => (
        <select {...attributes} value={props.value} onChange={(event) => props.change(event.currentTarget.value)}>
          {props.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckProps {
  label: ComponentChildren
  hint?: ComponentChildren
  isChecked: boolean
  change(isChecked: boolean): void
  reason?: string | undefined
}

/** CheckField is a checkbox with its sentence. */
export function CheckField({ label, hint, isChecked, change, reason }: CheckProps) {
  return (
    <label class="tick" title={reason}>
      <input
        type="checkbox"
        name={typeof label === 'string' ? label : undefined}
        checked={isChecked}
        disabled={Boolean(reason)}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <span>
        {label}
        {(hint || reason) && <span class="hint">{reason ?? hint}</span>}
      </span>
    </label>
  )
}
