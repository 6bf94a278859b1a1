// The languages of the page. English is part of the script; each other language is a
// file that is loaded when it is needed.
import { setFallback, setLanguage, type Messages } from '../shared/i18n.tsx'
import de from './locales/de.json?url'
import en from './locales/en.json'

setFallback(en)

/** The addresses of the languages, relative to the script. */
const addresses: Record<string, string> = { de }

/** The languages with their own names. */
export const names: Record<string, string> = { en: 'English', de: 'Deutsch' }

/** choose loads a language and shows the page in it. It returns whether that worked. */
export async function choose(tag: string): Promise<boolean> {
  if (tag === 'en') {
    setLanguage({ tag, name: names.en!, messages: en })
    return true
  }
  try {
    const response = await fetch(new URL(addresses[tag]!, import.meta.url))
    if (!response.ok) return false
    setLanguage({ tag, name: names[tag]!, messages: (await response.json()) as Messages })
    return true
  } catch {
    return false
  }
}
