// Where the focus goes. Fields and cards have their place in the attribute data-place.
import { options } from 'preact'
import { useEffect } from 'preact/hooks'
import { parsePlace } from './places.ts'
import type { FieldEditor } from './state.ts'

const focusable = 'input, textarea, select, button'
/** How long a place may take until it is shown, in milliseconds. Its form can still be loading. */
const timeout = 3000

/** useWantedFocus moves the focus to the place that the editor wants, once it is shown. */
export function useWantedFocus(editor: FieldEditor): void {
  const place = editor.wanted.value
  useEffect(() => {
    if (place === undefined) return
    const until = performance.now() + timeout
    let frame = 0
    const attempt = () => {
      const target = find(place)
      if (!target && performance.now() < until) {
        frame = requestAnimationFrame(attempt)
        return
      }
      editor.wanted.value = undefined
      if (target) focus(target)
    }
    attempt()
    return () => cancelAnimationFrame(frame)
  }, [place])
}

/**
 * atOnce shows a change, and moves the focus, before it returns. Otherwise the next key of a person who types fast
 * goes to the field before.
 */
export function atOnce(editor: FieldEditor, change: () => void): void {
  const { debounceRendering } = options
  options.debounceRendering = (render) => render()
  change()
  if (debounceRendering) options.debounceRendering = debounceRendering
  else delete options.debounceRendering
  const target = find(editor.wanted.peek() ?? '')
  if (!target) return
  editor.wanted.value = undefined
  focus(target)
}

/** find returns the control of a place. Without one, it returns that of the list it is in, or the first of the form. */
function find(place: string): HTMLElement | undefined {
  const { kind, key } = parsePlace(place)
  const parts = place.split('/')
  const others = parts.slice(4).map((_, i) => parts.slice(0, -1 - i).join('/'))
  if (kind === 'question') others.push(`/q/${key}/prompt`)
  if (kind === 'pool') others.push(`/p/${key}/tags`)
  if (kind === 'stage') others.push(`/s/${key}/title`)
  for (const name of [place, ...others]) {
    const found = document.querySelector<HTMLElement>(`[data-place="${CSS.escape(name)}"]`)
    const control = found?.matches(focusable) ? found : found?.querySelector<HTMLElement>(focusable)
    if (control) return control
  }
  return undefined
}

function focus(target: HTMLElement): void {
  target.focus({ preventScroll: true })
  const { top, bottom } = target.getBoundingClientRect()
  // The bar covers the top of the window.
  if (top < 80 || bottom > innerHeight - 24) target.scrollIntoView({ block: 'center' })
}

/**
 * keepInPlace keeps a part of the page where it is in the window while `change` closes a form above it. The attribute
 * data-key finds the part before and after.
 */
export function keepInPlace(key: string, change: () => void): void {
  const part = () => document.querySelector(`[data-key="${CSS.escape(key)}"]`)
  const before = part()?.getBoundingClientRect().top
  change()
  requestAnimationFrame(() => {
    const after = part()?.getBoundingClientRect().top
    if (before !== undefined && after !== undefined && before > 0) scrollBy(0, after - before)
  })
}
