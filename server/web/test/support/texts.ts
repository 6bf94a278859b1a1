// The texts of the pages, so that tests do not repeat them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Params = Record<string, string | number>

/** The folders of src that have texts. */
export type PageName = 'take' | 'account' | 'app'

/** The folder of the files of a page's languages. */
export const localesOf = (page: PageName) => join(import.meta.dirname, '../../src', page, 'locales')

/** The files of a locale: one, or for the dashboard also one of each screen. */
function filesOf(page: PageName, locale: string): string[] {
  const folder = join(import.meta.dirname, '../../src', page)
  const screens = page === 'app' ? globSync(`*/${locale}.json`, { cwd: folder }) : []
  return [...new Set([`locales/${locale}.json`, ...screens])].map((file) => join(folder, file))
}
const read = new Map<string, Record<string, unknown>>()

/**
 * The text of a key, with its parameters filled in. For a text with plural forms, the
 * parameter `count` chooses the form.
 */
export function t(key: string, params: Params = {}, locale = 'en', page: PageName = 'take'): string {
  const found = forms(key, locale, page)
  const form = new Intl.PluralRules(locale).select(Number(params.count ?? 0))
  return (found[form] ?? found.other ?? '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the text ${key} needs the parameter ${name}`)
    return typeof value === 'number' ? new Intl.NumberFormat(locale).format(value) : value
  })
}

/** A pattern for the complete text of a key. A parameter without a value matches any text. */
export function pattern(key: string, params: Params = {}, locale = 'en', page: PageName = 'take'): RegExp {
  const escaped = Object.values(forms(key, locale, page)).map((form) =>
    form
      .split(/(\{\w+\})/)
      .map((part) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1]
        const value = name === undefined ? part : params[name]
        return value === undefined ? '.+' : `${isolate}?${anyDigits(escape(String(value)))}${isolate}?`
      })
      .join(''),
  )
  return new RegExp(`^(${escaped.join('|')})$`)
}

// The page surrounds names with these marks in right-to-left texts.
const isolate = '[\u2068\u2069]'

// Playwright compares some texts as they are, and others with plain spaces.
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\u00a0', '\\s')

// Arabic has digits of its own, and the region decides which ones are used.
const anyDigits = (text: string) =>
  text.replace(/\d/g, (digit) => `[${digit}${String.fromCharCode(0x660 + Number(digit))}]`)

/** A pattern that matches what any of the patterns matches. */
export const anyOf = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'))

/** Adds texts that are in no file, for a locale that a test makes up. */
export function register(locale: string, texts: Record<string, unknown>): void {
  read.set(`take/${locale}`, texts)
}

/** All texts of a locale by their keys. */
export function texts(locale = 'en', page: PageName = 'take'): Record<string, string | Record<string, string>> {
  let found = read.get(`${page}/${locale}`)
  if (!found) {
    const files = filesOf(page, locale).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)
    found = Object.assign({}, ...files) as Record<string, unknown>
    read.set(`${page}/${locale}`, found)
  }
  return found as Record<string, string | Record<string, string>>
}

/** The plural forms of a text, in English if the locale lacks it. A text without plural forms is its form "other". */
function forms(key: string, locale: string, page: PageName): Record<string, string> {
  const found = texts(locale, page)[key] ?? texts('en', page)[key]
  if (typeof found === 'string') return { other: found }
  if (found === null || typeof found !== 'object') throw new Error(`${page}/locales/${locale}.json has no text ${key}`)
  return found
}
