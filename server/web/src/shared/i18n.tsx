// Texts in the language of the candidate. Each language is a JSON file with the keys
// of en.json, which is part of the script. The others are loaded when they are needed.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

/** A text, or one text for each plural form (CLDR) of the parameter `count`. */
export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>
/** Messages by key. */
export type Messages = Record<string, Message>
type Parameters_ = Record<string, string | number>

export interface Language {
  /** BCP 47. */
  tag: string
  /** The language's own name. */
  name: string
  messages: Messages
}

export const language = signal<Language>({ tag: 'en', name: 'English', messages: {} })

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur'])

/** useLanguage changes the language of the page. */
export function setLanguage(chosen: Language): void {
  language.value = chosen
  document.documentElement.lang = chosen.tag
  document.documentElement.dir = rightToLeft.has(chosen.tag.split('-')[0]!) ? 'rtl' : 'ltr'
}

let fallback: Messages = {}

/** setFallback sets the messages for keys that a language does not have. */
export function setFallback(messages: Messages): void {
  fallback = messages
}

/** text returns the message in the current language, with {name} replaced by the parameters. */
export function text(key: string, parameters: Parameters_ = {}): string {
  return template(key, parameters).replace(/\{(\w+)\}/g, (_, name: string) => formatted(parameters[name]))
}

/** rich is text with elements as parameters, for example links. */
export function rich(key: string, elements: Record<string, ComponentChildren>, parameters: Parameters_ = {}) {
  return template(key, parameters)
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      if (name === undefined) return part
      return name in elements ? elements[name] : formatted(parameters[name])
    })
}

function template(key: string, parameters: Parameters_): string {
  const { tag, messages } = language.value
  const message = messages[key] ?? fallback[key] ?? key
  if (typeof message === 'string') return message
  const form = new Intl.PluralRules(tag).select(Number(parameters.count ?? 0))
  return message[form] ?? message.other ?? key
}

function formatted(value: string | number | undefined): string {
  return typeof value === 'number' ? new Intl.NumberFormat(language.value.tag).format(value) : (value ?? '')
}

/** dateAndTime formats a time with its zone, for example "Friday, 4 December 2026 at 23:59 CET". */
export function dateAndTime(at: Date, timeZone?: string): string {
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'long', year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short',
  }
  try {
    return new Intl.DateTimeFormat(language.value.tag, timeZone ? { ...options, timeZone } : options).format(at)
  } catch {
    return new Intl.DateTimeFormat(language.value.tag, options).format(at) // the browser does not know the zone
  }
}

/** shortTime formats a time of today, for example "10:42". */
export function shortTime(at: Date): string {
  return new Intl.DateTimeFormat(language.value.tag, { hour: 'numeric', minute: '2-digit' }).format(at)
}
