// The texts of the screens. Each screen has files of its own, which are loaded with its code.
import { effect } from '@preact/signals'
import { language, setFallback, type Messages } from '../../shared/i18n.tsx'

/** The addresses of the files of a screen, by language. */
export type Files = Record<string, string>

const screens = new Set<Files>()
const loaded = new Map<string, Promise<Messages>>()
/** Texts of the screens in the last language, which stay until the next one is loaded. */
let last: Messages = {}

/** setEssential sets the texts that exist before any file is loaded. */
export function setEssential(messages: Messages): void {
  last = messages
  setFallback(messages)
}

/** loadTexts loads the texts of a screen in the current language, and keeps them current. */
export async function loadTexts(files: Files): Promise<void> {
  screens.add(files)
  await add(files, language.value.tag)
}

async function add(files: Files, tag: string): Promise<void> {
  const address = files[tag] ?? files.en!
  if (!loaded.has(address)) loaded.set(address, load(address))
  try {
    const messages = await loaded.get(address)!
    if (tag !== language.peek().tag) return
    last = { ...last, ...messages }
    setFallback(last)
  } catch (error) {
    loaded.delete(address) // the next attempt asks again
    throw error
  }
}

/** load reads a file of texts in a language that can differ from that of the page. */
export async function load(address: string): Promise<Messages> {
  const response = await fetch(new URL(address, import.meta.url))
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return (await response.json()) as Messages
}

/** isKnown reports whether a loaded file has the key. */
export function isKnown(key: string): boolean {
  return key in last
}

effect(() => {
  const { tag } = language.value
  for (const files of screens) void add(files, tag).catch(() => undefined)
})
