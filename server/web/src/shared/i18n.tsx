// Texts in the language of the reader. Each language is a JSON file with the keys
// of en.json, which is loaded when it is needed.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { englishDate, long } from './english_date.ts'

/** A text, or one text for each plural form (CLDR) of the parameter `count`. */
export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>
/** Messages by key. */
export type Messages = Record<string, Message>
type Parameters_ = Record<string, string | number>

/** The keys of the texts. A page adds the type of its en.json, so that a wrong key does not compile. */
export interface Texts {}
export type Key = keyof Texts & string

interface Language {
  /** The language of the messages (BCP 47). */
  tag: string
  messages: Messages
  /** The language and region of numbers and dates. */
  formats: string
  isRightToLeft: boolean
}

// A signal, because a view that shows a text is shown again when its language has been loaded.
const fallback = signal<Messages>({})
/** Matches the languages that are written from right to left. */
export const rightToLeft = /^(ar|fa|he|ur)\b/

const formatters = new Map<string, unknown>()

/**
 * formatter returns a formatter of Intl. Making one takes milliseconds on a slow phone,
 * so each is made when it is first used, and kept.
 */
export function formatter<T, O>(kind: new (locale: string, options?: O) => T, locale: string, options?: O): T {
  const key = kind.name + locale + JSON.stringify(options)
  const made = (formatters.get(key) as T | undefined) ?? new kind(locale, options)
  formatters.set(key, made)
  return made
}

export const language = signal<Language>({ tag: 'en', messages: {}, formats: 'en', isRightToLeft: false })

/** The language of the organization's own texts, if it is known. */
export const contentLanguage = signal<string | undefined>(undefined)

/** setLanguage shows the page in a language. `formats` can name a region too, such as en-GB. */
export function setLanguage(tag: string, messages: Messages, formats = tag): void {
  const isRightToLeft = rightToLeft.test(tag)
  language.value = { tag, messages, formats, isRightToLeft }
  document.documentElement.lang = tag
  document.documentElement.dir = isRightToLeft ? 'rtl' : 'ltr'
}

/** setFallback sets the messages for keys that a language does not have. */
export function setFallback(messages: Messages): void {
  fallback.value = messages
}

/** text returns the message in the current language, with {name} replaced by the parameters. */
export function text(key: Key, parameters: Parameters_ = {}): string {
  return template(key, parameters).replace(/\{(\w+)\}/g, (_, name: string) => formatted(parameters[name]))
}

/**
 * rich is text with elements as parameters, for example links. A string among them is a name, which no browser
 * translates.
 */
export function rich(key: Key, elements: Record<string, ComponentChildren>, parameters: Parameters_ = {}) {
  return template(key, parameters)
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      if (name === undefined) return part
      if (!(name in elements)) return formatted(parameters[name])
      const element = elements[name]
      return typeof element === 'string' ? <Verbatim>{element}</Verbatim> : <bdi>{element}</bdi>
    })
}

/** Verbatim is a text that no browser translates: a name, or an answer as the candidate typed it. */
export function Verbatim({ children }: { children: ComponentChildren }) {
  return <bdi translate={false}>{children}</bdi>
}

function template(key: Key, parameters: Parameters_): string {
  const { messages, tag } = language.value
  const message = messages[key] ?? fallback.value[key] ?? key
  if (typeof message === 'string') return message
  return message[formatter(Intl.PluralRules, tag).select(Number(parameters.count ?? 0))] ?? message.other ?? key
}

const rightToLeftLetter = /[\u0590-\u08ff\ufb1d-\ufefc]/

// A name or an address in the other direction would reorder the words around it, so
// such texts stand between the marks FSI and PDI.
function formatted(value: string | number | undefined): string {
  const { formats, isRightToLeft } = language.value
  if (typeof value === 'number') return formatter(Intl.NumberFormat, formats).format(value)
  if (!value) return ''
  return isRightToLeft || rightToLeftLetter.test(value) ? `\u2068${value}\u2069` : value
}

/** list joins texts, for example "Question 3 of 4, Answered, Flagged for review". */
export function list(items: string[]): string {
  return formatter(Intl.ListFormat, language.value.tag, { type: 'unit', style: 'short' }).format(items)
}

/**
 * dateAndTime formats a time with its zone. In English, it is as in the emails, whatever the browser's region is: "Friday,
 * 4 December 2026, 23:59 (UTC+1, Europe/Berlin)".
 */
export function dateAndTime(at: Date, timeZone?: string): string {
  const { tag, formats } = language.value
  try {
    if (tag === 'en') return englishDate(at, timeZone)
    return formatter(Intl.DateTimeFormat, formats, { ...long, timeZoneName: 'long', timeZone }).format(at)
  } catch {
    // The browser does not know the zone, or it is too old to name offsets.
    return timeZone ? dateAndTime(at) : at.toLocaleString(formats)
  }
}

/** shortTime formats a time of today, for example "10:42". */
export function shortTime(at: Date): string {
  return formatter(Intl.DateTimeFormat, language.value.formats, { hour: 'numeric', minute: '2-digit' }).format(at)
}
