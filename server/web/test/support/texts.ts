// The texts of the page, so that tests do not repeat them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const locales = join(import.meta.dirname, '../../src/take/locales')
const read = new Map<string, unknown>()

/**
 * The text of a key, with its parameters filled in. A key is like 'intro.start'. For a
 * text with plural forms, the parameter `count` chooses the form.
 */
export function t(key: string, params: Record<string, string | number> = {}, locale = 'en'): string {
  if (!read.has(locale)) read.set(locale, JSON.parse(readFileSync(join(locales, `${locale}.json`), 'utf8')))
  let found = lookUp(read.get(locale), key)
  if (found !== null && typeof found === 'object' && typeof params.count === 'number') {
    const forms = found as Record<string, unknown>
    found = forms[new Intl.PluralRules(locale).select(params.count)] ?? forms.other
  }
  if (typeof found !== 'string') throw new Error(`${locale}.json has no text ${key}`)
  return found.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the text ${key} needs the parameter ${name}`)
    return String(value)
  })
}

/** Finds a key in an object that is flat or nested. */
function lookUp(texts: unknown, key: string): unknown {
  const flat = (texts as Record<string, unknown>)[key]
  if (flat !== undefined) return flat
  return key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], texts)
}
