// The languages of the page, and which one it should have.
import { effect } from '@preact/signals'
import essential from './essential.json'
import { contentLanguage, setFallback } from '../shared/i18n.tsx'
import { chosen, isLate, isShown, speak } from '../shared/languages.ts'
import ar from './locales/ar.json?url'
import de from './locales/de.json?url'
import type english from './locales/en.json'
import en from './locales/en.json?url'
import es from './locales/es.json?url'
import fr from './locales/fr.json?url'
import ja from './locales/ja.json?url'
import pl from './locales/pl.json?url'
import ptBR from './locales/pt-BR.json?url'
import zhHans from './locales/zh-Hans.json?url'
import { kept, phase, remember, taking } from './session.ts'
import { inTab, keepInTab } from './tab.ts'

type English = typeof english
declare module '../shared/i18n.tsx' {
  interface Texts extends English {}
}

// What the page says if no language can be loaded.
setFallback(essential)

const names = {
  ar: 'العربية',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  'zh-Hans': '简体中文',
}
speak(names, { ar, de, en, es, fr, ja, pl, 'pt-BR': ptBR, 'zh-Hans': zhHans }, () => [
  kept.value?.language,
  inTab(tabKey(kept.value?.id)),
  taking.value?.assessment.locale,
  taking.value?.organization.locale,
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

// The browser forgets the session at its end. The tab remembers the language for the
// page at the end.
function tabKey(session = ''): string {
  return `assay-take-language ${session}`
}

effect(() => {
  const theirs = taking.value?.assessment.locale ?? taking.value?.organization.locale
  contentLanguage.value = theirs ?? undefined
})

let settled = false

/**
 * isSettled reports whether the page can show its first view: in the wanted language, or in
 * another one if it is late. A later change of the language does not empty the page.
 */
export function isSettled(): boolean {
  const isReady = isShown.value || isLate.value
  settled = phase.value !== 'loading' && (settled || isReady)
  return settled
}
