// The languages of a page. Each is a file that is loaded when it is needed.
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'
import { language, setLanguage, type Messages } from './i18n.tsx'

/** The languages with their own names, sorted as in the menu. */
export let names: Record<string, string>
let files: Record<string, string>

/** What the person chose on this page: in the menu, or with ?lang. */
export const chosen = signal<string | undefined>(undefined)
/** The language that the page should have. */
export let wanted: ReadonlySignal<string>

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
function match(tag: string | null | undefined): string | undefined {
  const script = fullScript(tag)
  return script && Object.keys(files).find((own) => fullScript(own) === script)
}

/** fullScript returns the language and its script, for example zh-Hant for zh-TW. */
export function fullScript(tag: string | null | undefined): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag!).maximize()
    return `${language}-${script}`
  } catch {
    return undefined
  }
}

/** Whether the page no longer waits for the wanted language. */
export const isLate = signal(false)

/**
 * speak shows the page in the first of these languages that it has, now and when they
 * change: what the person chose, `tags`, the languages of the browser, English. The records are
 * the languages' own names, and the addresses of their files relative to the script.
 */
export function speak(
  own: Record<string, string>,
  addresses: Record<string, string>,
  tags: () => (string | null | undefined)[],
): void {
  names = own
  files = addresses
  chosen.value = match(new URLSearchParams(location.search).get('lang'))
  // It leaves the address, because a later choice in the menu must survive a reload.
  if (location.search) history.replaceState(history.state, '', location.pathname + location.hash)
  wanted = computed(() => {
    const all = [chosen.value, ...tags(), ...navigator.languages]
    return all.map(match).find(Boolean) ?? 'en'
  })
  effect(() => {
    const tag = wanted.value
    isLate.value = false
    const timer = setTimeout(() => void replace(tag), patience)
    void show(tag)
    return () => clearTimeout(timer)
  })
}

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

// show loads the language, again and again until it works or another language is wanted.
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
    const response = await fetch(new URL(files[tag]!, import.meta.url), { signal: aborter.signal })
    return response.ok ? ((await response.json()) as Messages) : undefined
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

// The person's own region decides how dates and numbers look.
function regional(tag: string): string {
  return navigator.languages.find((own) => match(own) === tag) ?? tag
}

const hasTexts = () => Object.keys(language.value.messages).length > 0

/** Whether the wanted language is shown. */
export const isShown = computed(() => language.value.tag === wanted.value && hasTexts())

/** isSpeechless reports whether the page has waited for a language and has none. */
export function isSpeechless(): boolean {
  return isLate.value && !hasTexts()
}
