// The languages of the page, and which one it should have.
import { setFallback } from '../shared/i18n.tsx'
import { isLate, isShown, speak } from '../shared/languages.ts'
import essential from './essential.json'
import de from './locales/de.json?url'
import type english from './locales/en.json'
import en from './locales/en.json?url'

type English = typeof english
declare module '../shared/i18n.tsx' {
  interface Texts extends English {}
}

// What the page says if no language can be loaded.
setFallback(essential)

speak({ de: 'Deutsch', en: 'English' }, { de, en }, () => [])

let settled = false

/** isSettled reports whether the page can show its first view. A later change of the language does not empty it. */
export function isSettled(): boolean {
  const isReady = isShown.value || isLate.value
  return (settled ||= isReady)
}
