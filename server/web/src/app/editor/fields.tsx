// The fields of the editor. Each has a place, which faults, undo, and the focus refer to.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { quantity } from '../core/figures.ts'
import { readNumber } from './numbers.ts'
import { faultTextsAt } from './fault_texts.ts'
import type { FieldEditor } from './state.ts'

export interface Attributes {
  id: string
  class: string
  'data-place': string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

interface FieldProps {
  editor: FieldEditor
  place: string
  label: ComponentChildren
  hint?: ComponentChildren
  isOptional?: boolean
  /** Only for a field of a row, whose place says what it is. */
  isLabelUnseen?: boolean
  /** Why the text of the field is wrong, if the browser knows. */
  error?: string | undefined
  children(attributes: Attributes): ComponentChildren
}

export const idOf = (place: string) => `at${place.replaceAll(/[^\w]+/g, '-')}`

export function Field({ editor, place, label, hint, isOptional, isLabelUnseen, error: own, children }: FieldProps) {
  const error = own ?? faultTextsAt(editor, place)
  const id = idOf(place)
  return (
    <div class="form-row">
      <label for={id} class={isLabelUnseen ? 'unseen' : undefined}>
        {label} {isOptional && <span class="muted optional">{text('form.optional')}</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {children({
        id,
        class: 'field',
        'data-place': place,
        'aria-invalid': error !== undefined || undefined,
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
  maxLength?: number
  /** The number of lines of a field with several. It grows with its text. */
  rows?: number
  type?: 'text' | 'url' | 'datetime-local'
  placeholder?: string
  onPaste?(event: ClipboardEvent): void
}

export function TextField({ value, change, maxLength, rows, type, placeholder, onPaste, ...field }: TextProps) {
  return (
    <Field {...field}>
      {(attributes) =>
        rows ? (
          <textarea
            {...attributes}
            rows={rows}
            value={value}
            maxLength={maxLength}
            placeholder={placeholder}
            onInput={(event) => change(event.currentTarget.value)}
            onPaste={onPaste}
          />
        ) : (
          <input
            {...attributes}
            type={(type ?? 'text') as 'text'}
            value={value}
            maxLength={maxLength}
            placeholder={placeholder}
            autocomplete="off"
            onInput={(event) => change(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}

interface NumberProps extends Omit<FieldProps, 'children' | 'error'> {
  value: number | null
  change(value: number | null): void
  min: number
  max: number
  isInteger?: boolean
  /** The number of decimals that the server accepts. */
  decimals?: number
  isRequired?: boolean
  unit?: string
}

/**
 * NumberField changes the document only with a number that the server accepts. If a text can mean two numbers, as "1.500"
 * does, the author chooses, and an optional field is empty until then.
 */
export function NumberField(props: NumberProps) {
  const { value, change, min, max, isInteger, decimals, isRequired, unit, ...field } = props
  const shown = value === null ? '' : String(value)
  const [typed, setTyped] = useState(shown)
  // Undo, or another editor. A text that means the same number stays as it is.
  useEffect(() => {
    if (read(typed).number !== value) setTyped(shown)
  }, [value])
  // What the field shows has one meaning, also "1.234".
  const read = (entry: string): Entry => (entry === shown ? { number: value, meanings: [] } : readEntry(entry))
  const fits = (number: number) =>
    number >= min && number <= max && (!isInteger || Number.isInteger(number)) &&
    (decimals === undefined || Number(number.toFixed(decimals)) === number)
  const { number, meanings } = read(typed)
  const isWrong = number === null ? typed !== '' || isRequired === true : !fits(number)
  const range = text(isInteger ? 'editor.number.whole' : 'editor.number', { min, max })
  const error = meanings.length > 0 ? text('editor.number.meanings') : isWrong ? range : undefined
  const choose = (meaning: number) => {
    setTyped(String(meaning))
    if (fits(meaning)) change(meaning)
  }
  return (
    <Field {...field} error={error}>
      {(attributes) => (
        <span class="editor-number">
          <input
            {...attributes}
            type="text"
            inputMode="decimal"
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => {
              setTyped(currentTarget.value)
              const next = read(currentTarget.value)
              const isEmpty = (currentTarget.value === '' || next.meanings.length > 0) && !isRequired
              if (next.number === null ? isEmpty : fits(next.number)) change(next.number)
            }}
            onBlur={() => isWrong && typed === '' && setTyped(shown)}
          />
          {unit && <span class="muted">{unit}</span>}
          {meanings.map((meaning) => (
            <button key={meaning} type="button" class="button small" onClick={() => choose(meaning)}>
              {quantity(meaning)}
            </button>
          ))}
        </span>
      )}
    </Field>
  )
}

interface Entry {
  number: number | null
  /** The numbers that the text can mean, if there are two. */
  meanings: number[]
}

/** readEntry reads a number with a point or a comma, also one that is not yet complete. */
function readEntry(typed: string): Entry {
  const reading = readNumber(typed.replace(/[.,]\s*$/, ''))
  if (!reading) return { number: null, meanings: [] }
  return 'number' in reading ? { number: reading.number, meanings: [] } : { number: null, meanings: reading.meanings }
}

interface CheckProps {
  place: string
  label: string
  hint?: string
  isChecked: boolean
  change(isChecked: boolean): void
}

export function Check({ place, label, hint, isChecked, change }: CheckProps) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        data-place={place}
        checked={isChecked}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </label>
  )
}
