// Keyboard shortcuts. "/" and "?" are the only ones without a modifier (WCAG 2.2, 2.1.4: they are inactive in fields).
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { lazy } from './lazy.ts'
import { isMac } from './platform.ts'

const Help = lazy(async () => (await import('./shortcuts_help.tsx')).Help)

export interface Shortcut {
  /** As KeyboardEvent.key, with modifiers in front: "Ctrl+Z" is Command on a Mac. */
  keys: string
  label: string
  act(event: KeyboardEvent): void
}

const active = signal<Shortcut[]>([])
const isOpen = signal(false)

/** useShortcuts makes the shortcuts work while the component is shown, and lists them in the help. */
export function useShortcuts(shortcuts: Shortcut[], dependencies: unknown[] = []): void {
  useEffect(() => {
    active.value = [...active.peek(), ...shortcuts]
    return () => {
      active.value = active.peek().filter((shortcut) => !shortcuts.includes(shortcut))
    }
  }, dependencies)
}

function keysOf(event: KeyboardEvent): string {
  const control = isMac ? event.metaKey : event.ctrlKey
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key
  const isLetter = /^[A-Z0-9]$/.test(key) || event.key.length > 1
  return [control && 'Ctrl', event.altKey && 'Alt', event.shiftKey && isLetter && 'Shift', key].filter(Boolean).join('+')
}

addEventListener('keydown', (event) => {
  const isField = (event.target as Element).closest?.('input, textarea, select, [contenteditable]') != null
  if (document.querySelector('dialog[open]') && event.key !== 'Escape') {
    // A dialog hides what the shortcuts of the page act on.
    if (!(event.ctrlKey || event.metaKey || event.altKey)) return
  }
  if (!isField && event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const search = document.querySelector<HTMLInputElement>('[data-search]')
    if (search) {
      event.preventDefault()
      search.focus()
      search.select()
    }
    return
  }
  if (!isField && event.key === '?') {
    isOpen.value = true
    return
  }
  const keys = keysOf(event)
  if (!keys.includes('+')) return
  const found = [...active.value].reverse().find((shortcut) => shortcut.keys === keys)
  if (!found) return
  event.preventDefault()
  found.act(event)
})

export function showShortcuts(): void {
  isOpen.value = true
}

/** ShortcutsHelp lists the shortcuts while it is open. */
export function ShortcutsHelp() {
  return isOpen.value ? <Help shortcuts={active.value} close={() => (isOpen.value = false)} /> : null
}
