// Keeps what a person changes in a form, and puts it back when the form opens again. It is loaded with the first form.
// It reads and writes the fields in the page, so that a form need not know of it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { keep, kept, placeOf } from './drafts.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
type Value = string | boolean
type Values = Map<string, Value>

/** What a field contains; a box and a choice are only checked or not. */
export type State = Pick<HTMLInputElement, 'value' | 'checked'>

/** The fields of a form with what they contained when they appeared. */
export type First = Map<Element, State>

interface Props {
  form: { readonly current: HTMLFormElement | null }
  /** The name of the form on its screen. */
  name: string
  first: First
  /** Is set to what the form calls when it was saved. */
  saved: { current: (() => void) | undefined }
}

export function Draft({ form, name, first, saved }: Props) {
  const place = placeOf(name)
  const [isBack, setBack] = useState(false)
  const discard = useRef<(() => void) | undefined>(undefined)
  useEffect(() => {
    const watched = watch(form.current!, place, first, setBack)
    saved.current = watched.saved
    discard.current = watched.discard
    return watched.stop
  }, [place])
  return isBack ? <DraftNote discard={() => discard.current?.()} /> : null
}

/** DraftNote says that the fields have what was typed before. */
export function DraftNote({ discard }: { discard(): void }) {
  // Screen readers ignore a region that comes together with its text.
  const [isShown, show] = useState(false)
  useEffect(() => show(true), [])
  return (
    <div role="status">
      {isShown && (
        <p class="note draft">
          {text('draft.back')}{' '}
          <button type="button" class="link-button" onClick={discard}>
            {text('draft.discard')}
          </button>
        </p>
      )}
    </div>
  )
}

/** How often it looks for a field that appears after a change of another field, or after a request, every 50 ms. */
const rounds = 60

function watch(form: HTMLFormElement, place: string, first: First, show: (isBack: boolean) => void) {
  /** The values without the changes of the person. */
  const before: Values = new Map()
  /** What is yet to be put back. */
  let waiting: Values = new Map()
  let isOpen = true
  let isDiscarding = false

  const collect = () => {
    // A form that is gone was saved, or its screen was left.
    if (!isOpen || isDiscarding || !form.isConnected) return
    const changed: Values = new Map(waiting)
    for (const [name, control] of controlsOf(form)) {
      const value = valueOf(control)
      if (!before.has(name)) before.set(name, value)
      else if (before.get(name) !== value) changed.set(name, value)
    }
    keep(place, changed.size > 0 ? [...changed] : undefined)
  }
  // The page first shows what the event changes.
  const collectSoon = () => void setTimeout(collect)
  for (const type of ['input', 'change', 'click']) form.addEventListener(type, collectSoon)

  /** One field at a time, because the page renders between two changes of the same values. */
  const fill = async (values: Values) => {
    waiting = values
    for (let round = 0; round < rounds && values.size > 0 && isOpen; round++) {
      const found = controlsOf(form).find(([name, control]) => values.has(name) && canHave(control, values.get(name)!))
      if (found) {
        put(found[1], values.get(found[0])!)
        values.delete(found[0])
      }
      await new Promise((done) => setTimeout(done, found ? 0 : 50))
    }
    values.clear()
  }
  const stored: Values = new Map(kept<[string, Value][]>(place))
  for (const [name, control] of controlsOf(form)) {
    before.set(name, valueOf(control, first.get(control)))
    // What was typed meanwhile is newer.
    if (before.get(name) !== valueOf(control)) stored.delete(name)
  }
  show([...stored].some(([name, value]) => before.get(name) !== value))
  void fill(stored).then(collect)
  return {
    saved() {
      before.clear()
      waiting.clear()
      keep(place, undefined)
      show(false)
      collectSoon()
    },
    discard() {
      keep(place, undefined)
      show(false)
      isDiscarding = true
      void fill(new Map(before)).then(() => {
        isDiscarding = false
        collect()
      })
    },
    stop() {
      isOpen = false
      for (const type of ['input', 'change', 'click']) form.removeEventListener(type, collectSoon)
    },
  }
}

/** controlsOf returns the fields that can be kept. A field for a password is none, also while its text is visible. */
function controlsOf(form: HTMLFormElement): [string, Control][] {
  const counts = new Map<string, number>()
  return [...form.elements].flatMap((element): [string, Control][] => {
    const control = element as Control
    const name = control.name || control.getAttribute('aria-label')
    const isField = control.matches('input, select, textarea')
    if (!name || !isField || control.matches(':disabled, [readonly]')) return []
    if (/password|one-time|file|hidden/.test(`${control.type} ${control.autocomplete}`)) return []
    // Fields can share a name, for example the choices of one question.
    const key = `${control.type} ${name}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return [[`${key} ${counts.get(key)}`, control]]
  })
}

const isTick = (control: Control): control is HTMLInputElement => /^(checkbox|radio)$/.test(control.type)

function valueOf(control: Control, { value, checked } = control as State): Value {
  return isTick(control) ? checked : value
}

/** canHave reports whether a choice has the value. Choices can come with a request. */
function canHave(control: Control, value: Value): boolean {
  return control instanceof HTMLSelectElement ? [...control.options].some((option) => option.value === value) : true
}

/** put changes a field as a person does. */
function put(control: Control, value: Value): void {
  if (isTick(control)) {
    // Choosing another radio button clears this one.
    if (control.checked !== value && (value || control.type === 'checkbox')) control.click()
    return
  }
  if (control.value === value) return
  control.value = value as string
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
}
