// The languages of the page, and which one it should have.
import { effect } from '@preact/signals'
import { contentLanguage, setFallback, type Messages } from '../shared/i18n.tsx'
import { chosen, isLate, isShown, speak } from '../shared/languages.ts'
import type english from './locales/en.json'
import { inviter, kept, phase, remember, taking } from './session.ts'
import { inTab, keepInTab } from './tab.ts'

type English = typeof english
declare module '../shared/i18n.tsx' {
  interface Texts extends English {}
}

// The bundle writes these into the page's HTML, because the names and addresses do not become smaller when they are
// compressed, and the size of the script is limited.
const { names, files, essential } = JSON.parse(document.getElementById('languages')!.textContent) as {
  /** The languages' own names. */
  names: Record<string, string>
  /** The addresses of their files, relative to the script. */
  files: Record<string, string>
  /** What the page says if no language can be loaded. */
  essential: Messages
}
setFallback(essential)
speak(names, files, () => [
  kept.value?.language,
  inTab(tabKey(kept.value?.id)),
  taking.value?.assessment.locale,
  inviter.value?.locale,
])

effect(() => {
  const session = kept.value
  const tag = chosen.value ?? session?.language
  if (!tag) return
  // At the end, the browser has forgotten the session, and this must not bring it back.
  const isOpen = ['INVITED', 'IN_PROGRESS'].includes(taking.value?.status ?? '')
  if (isOpen && session && session.language !== tag) remember({ language: tag })
  keepInTab(tabKey(session?.id), tag)
})

function tabKey(session = '') {
  return `assay-take-language ${session}` as const
}

effect(() => {
  const theirs = taking.value?.assessment.locale ?? inviter.value?.locale
  contentLanguage.value = theirs ?? undefined
})

let settled = false

/**
 * isSettled reports whether the page can show its first view: in the wanted language, or in
 * another language if it is late. A later change of the language does not empty the page.
 */
export function isSettled(): boolean {
  const isReady = isShown.value || isLate.value
  settled = phase.value !== 'loading' && (settled || isReady)
  return settled
}
