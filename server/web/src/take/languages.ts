// The languages of the page. Each is a file that is loaded when it is needed.
import { computed, effect, signal } from '@preact/signals'
import essential from './essential.json'
import { contentLanguage, language, setFallback, setLanguage, type Messages } from '../shared/i18n.tsx'
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

/** The languages with their own names, sorted as in the menu. */
export const names: Record<string, string> = {
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
/** The addresses of the files, relative to the script. */
const addresses: Record<string, string> = { ar, de, en, es, fr, ja, pl, 'pt-BR': ptBR, 'zh-Hans': zhHans }

const loaded = new Map<string, Messages>()

/** How long the page stays empty while a language loads, in milliseconds. Then it shows the page in English. */
const patience = 3000
/** How long a request may take, in milliseconds. */
const timeout = 15_000

/**
 * match returns the language of the page that a reader of `tag` (BCP 47) reads: the same
 * language in the same script. A region is no difference: a reader of pt-PT gets pt-BR.
 * zh-TW is not zh-Hans.
 */
export function match(tag: string | null | undefined): string | undefined {
  const script = fullScript(tag)
  return script && Object.keys(names).find((own) => fullScript(own) === script)
}

function fullScript(tag: string | null | undefined): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag!).maximize()
    return `${language}-${script}`
  } catch {
    return undefined
  }
}

// What the candidate chose on this page: in the menu, or with ?lang, which then leaves
// the address, because a later choice in the menu must survive a reload.
const chosen = signal(match(new URLSearchParams(location.search).get('lang')))
if (location.search) history.replaceState(null, '', location.pathname + location.hash)

/** The language that the page should have. */
export const wanted = computed(() => {
  const tags = [
    chosen.value,
    kept.value?.language,
    inTab(tabKey(kept.value?.id)),
    taking.value?.assessment.locale,
    taking.value?.organization.locale,
    ...navigator.languages,
  ]
  return tags.map(match).find((tag) => tag !== undefined) ?? 'en'
})

/** choose changes the language for this session. */
export function choose(tag: string): void {
  chosen.value = tag
}

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

/** Whether the page no longer waits for the wanted language. */
export const isLate = signal(false)

effect(() => {
  const tag = wanted.value
  isLate.value = false
  const timer = setTimeout(() => void replace(tag), patience)
  void show(tag)
  return () => clearTimeout(timer)
})

// replace shows the page in English, because the wanted language is late.
async function replace(tag: string): Promise<void> {
  if (loaded.size === 0) {
    const messages = await load('en')
    if (messages && loaded.size === 0) keep('en', messages)
  }
  if (tag === wanted.peek()) isLate.value = true
}

function keep(tag: string, messages: Messages): void {
  loaded.set(tag, messages)
  setLanguage(tag, messages, regional(tag))
}

// show loads the language, again and again until it works or another one is wanted.
async function show(tag: string): Promise<void> {
  for (let pause = 1000; tag === wanted.peek(); pause = Math.min(2 * pause, 30_000)) {
    const messages = loaded.get(tag) ?? (await load(tag))
    if (messages) {
      if (tag === wanted.peek()) keep(tag, messages)
      return
    }
    await new Promise((done) => setTimeout(done, pause))
  }
}

async function load(tag: string): Promise<Messages | undefined> {
  const aborter = new AbortController()
  const timer = setTimeout(() => aborter.abort(), timeout)
  try {
    const response = await fetch(new URL(addresses[tag]!, import.meta.url), { signal: aborter.signal })
    return response.ok ? ((await response.json()) as Messages) : undefined
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

// The candidate's own region decides how dates and numbers look.
function regional(tag: string): string {
  return navigator.languages.find((own) => match(own) === tag) ?? tag
}

const hasTexts = () => Object.keys(language.value.messages).length > 0

/** Whether the wanted language is shown. */
export const isShown = computed(() => language.value.tag === wanted.value && hasTexts())

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

/** isSpeechless reports whether the page has waited for a language and has none. */
export function isSpeechless(): boolean {
  return isLate.value && !hasTexts()
}
