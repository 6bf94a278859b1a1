// Numbers as people type them.
import { formatter, language } from '../shared/i18n.tsx'

/** The limit of the contract for a number and its negative (NumericValue). */
const limit = 1e15

/** What an entry means: a number, or why it is none. */
export type Reading =
  | { number: number; /** The other meaning of "1,000". */ other?: number }
  | { problem: 'unfinished' | 'notNumber' | 'tooLarge' }

/** The decimal separator of the page's language, in the candidate's region. */
function decimalSeparator(): string {
  return (
    formatter(Intl.NumberFormat, language.value.formats)
      .formatToParts(0.5)
      .find(({ type }) => type === 'decimal')?.value ?? '.'
  )
}

/** The value of a decimal digit of any script. Unicode has the ten digits of a script in a row. */
function digit(character: string): string {
  const code = character.codePointAt(0)!
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return String(before % 10)
}

/**
 * readNumber reads a number with digits of any script, a decimal comma or point, groups
 * of digits, and an exponent. "1,000" has two meanings: the language of the page decides,
 * and the reading has the other meaning, too.
 */
export function readNumber(typed: string): Reading {
  const plain = typed
    .replace(/[\p{Cf}\s]+$|^[\p{Cf}\s]+|[\u200e\u200f\u061c\u2066-\u2069]/gu, '')
    .replace(/\p{Nd}/gu, digit)
    .replace(/[\u2010-\u2015\u2212\ufe63\uff0d]/g, '-')
    .replace(/\uff0b/g, '+')
    .replace(/[\uff0e\u3002\uff61]/g, '.')
    .replace(/[\uff0c\u060c\u3001]/g, ',')
    .replace(/^([+-])\s+/, '$1')
  if (/^[+-]?[.,\u066b]?$|^[+-]?[\d.,\u066b]*\d[.,\u066b]?[eE][+-]?$/.test(plain)) return { problem: 'unfinished' }

  const [, sign = '', digits, exponent = ''] =
    /^([+-]?)(\d[\d\s'’٬.,\u066b]*|[.,\u066b]\d+)(e[+-]?\d+)?$/iu.exec(plain) ?? []
  if (digits === undefined) return { problem: 'notNumber' }
  const of = (text: string) => Number(sign + text + exponent) + 0 // + 0, because -0 is not a number that people mean
  const meanings = readDigits(digits).map(of)
  const [number, other] = meanings
  if (number === undefined) return { problem: 'notNumber' }
  if (Math.abs(number) > limit) return { problem: 'tooLarge' }
  return other === undefined ? { number } : { number, other }
}

const groups = /^(\d{1,3}(\D)\d{3}(\2\d{3})*|\d{1,2}(,)(\d\d\4)+\d{3})$/ // 1,000,000 or, in India, 10,00,000

/** The meanings of digits with separators, the likely one first, as JavaScript writes them. */
function readDigits(digits: string): string[] {
  // The last separator, if it is a comma or point that occurs once, can be the decimal one.
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','), digits.lastIndexOf('\u066b'))
  const separator = digits[at]
  const whole = at < 0 ? digits : digits.slice(0, at)
  const decimals = at < 0 ? '' : digits.slice(at + 1)

  const meanings: string[] = []
  const isWhole = /^\d*$/.test(whole) || groups.test(whole)
  if (isWhole && /^\d*$/.test(decimals) && !(separator && whole.includes(separator))) {
    meanings.push(`${whole.replace(/\D/g, '')}.${decimals}`)
  }
  // A number with groups does not begin with 0.
  if (separator && separator !== '\u066b' && groups.test(digits) && !digits.startsWith('0'))
    meanings.push(digits.replace(/\D/g, ''))
  return separator === decimalSeparator() || (separator === '.' && decimalSeparator() !== ',')
    ? meanings
    : meanings.reverse()
}

/**
 * plainNumber writes a number as the field shows it: without groups, and with the decimal separator of
 * the language.
 */
export function plainNumber(number: number): string {
  return String(number).replace('.', decimalSeparator() === ',' ? ',' : '.')
}
