// Where the focus goes. Fields and cards have their place in the attribute data-place.
import { useEffect } from 'preact/hooks'
import type { Editor } from './state.ts'

const focusable = 'input, textarea, select, button'
/** How long a place may take until it is shown, in milliseconds. Its form can still be loading. */
const patience = 3000

/** useWantedFocus moves the focus to the place that the editor wants, once it is shown. */
export function useWantedFocus(editor: Editor): void {
  const place = editor.wanted.value
  useEffect(() => {
    if (place === undefined) return
    const until = performance.now() + patience
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

/** find returns the control of a place, or the first one of its question or stage. */
function find(place: string): HTMLElement | undefined {
  const named = (value: string) => document.querySelector<HTMLElement>(`[data-place="${CSS.escape(value)}"]`)
  const exact = named(place)
  if (exact) return exact.matches(focusable) ? exact : (exact.querySelector<HTMLElement>(focusable) ?? undefined)
  const parts = place.split('/')
  if (parts.length < 4) return undefined
  return find(parts.slice(0, -1).join('/')) ?? (parts.length === 4 ? find(`${parts.slice(0, 3).join('/')}/prompt`) : undefined)
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
