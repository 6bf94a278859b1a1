// The languages of the dashboard, and which one it has.
import { effect } from '@preact/signals'
import { chosen, isLate, isShown, speak } from '../shared/languages.ts'
import { setEssential } from './core/texts.ts'
import essential from './essential.json'
import de from './locales/de.json?url'
import type english from './locales/en.json'
import en from './locales/en.json?url'
import { get, put } from './storage/storage.ts'

type English = typeof english
declare module '../shared/i18n.tsx' {
  interface Texts extends English {}
}

// What the page says if no language can be loaded.
setEssential(essential)

const address = new URL(location.href)
speak({ de: 'Deutsch', en: 'English' }, { de, en }, () => [])
// speak removes all parameters. The filters of a screen stay.
address.searchParams.delete('lang')
history.replaceState(history.state, '', address)

chosen.value ??= get<string>('language')
effect(() => {
  if (chosen.value) put('language', chosen.value)
})

let settled = false

/** isSettled reports whether the page can show its first view. A later change of the language does not empty it. */
export function isSettled(): boolean {
  const isReady = isShown.value || isLate.value
  return (settled ||= isReady)
}
