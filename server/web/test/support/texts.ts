// The texts of the page, so that tests do not repeat them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Params = Record<string, string | number>

const locales = join(import.meta.dirname, '../../src/take/locales')
const read = new Map<string, Record<string, unknown>>()

/**
 * The text of a key, with its parameters filled in. For a text with plural forms, the
 * parameter `count` chooses the form.
 */
export function t(key: string, params: Params = {}, locale = 'en'): string {
  const found = forms(key, locale)
  const form = found.one === undefined ? 'other' : new Intl.PluralRules(locale).select(Number(params.count))
  return (found[form] ?? found.other ?? '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the text ${key} needs the parameter ${name}`)
    return String(value)
  })
}

/** A pattern for the complete text of a key. A parameter without a value matches any text. */
export function pattern(key: string, params: Params = {}, locale = 'en'): RegExp {
  const escaped = Object.values(forms(key, locale)).map((form) =>
    form
      .split(/(\{\w+\})/)
      .map((part) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1]
        const value = name === undefined ? part : params[name]
        return value === undefined ? '.+' : String(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      })
      .join(''),
  )
  return new RegExp(`^(${escaped.join('|')})$`)
}

/** A pattern that matches what any of the patterns matches. */
export const anyOf = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'))

/** The plural forms of a text. A text without plural forms is its form "other". */
function forms(key: string, locale: string): Record<string, string> {
  let texts = read.get(locale)
  if (!texts) {
    texts = JSON.parse(readFileSync(join(locales, `${locale}.json`), 'utf8')) as Record<string, unknown>
    read.set(locale, texts)
  }
  const found = texts[key]
  if (typeof found === 'string') return { other: found }
  if (found === null || typeof found !== 'object') throw new Error(`${locale}.json has no text ${key}`)
  return found as Record<string, string>
}
