// Numbers in imported texts.

/** What a text means as a number. "1,000" has two meanings, and a file does not say which. */
export type Reading = { number: number } | { meanings: [number, number] }

/** readNumber reads a number with a decimal point or comma and groups of digits. Other texts are undefined. */
export function readNumber(text: string): Reading | undefined {
  const plain = text
    .trim()
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/^([+-])\s+/, '$1')
  const [, sign, digits, exponent = ''] = /^([+-]?)(\d[\d.,'’ \u202f]*|[.,]\d+)(e[+-]?\d+)?$/i.exec(plain) ?? []
  if (digits === undefined || /\D$/.test(digits.replace(/^[.,]/, ''))) return undefined
  const meanings = meaningsOf(digits).map((meaning) => Number(`${sign}${meaning}${exponent}`) + 0)
  const [number, other] = meanings
  if (number === undefined || meanings.some((meaning) => !Number.isFinite(meaning))) return undefined
  return other === undefined || other === number ? { number } : { meanings: [number, other] }
}

/** The meanings of digits with separators, written with a decimal point. */
function meaningsOf(digits: string): string[] {
  const meanings: string[] = []
  const isGrouped = /^[1-9]\d{0,2}([.,'’ \u202f])\d{3}(\1\d{3})*$/.test(digits)
  if (isGrouped) meanings.push(digits.replace(/\D/g, ''))
  const [, whole, fraction] = /^(.*?)(?:[.,](\d*))?$/.exec(digits) ?? []
  if (whole === undefined) return meanings
  const hasGroups = /^\d{1,3}([.,'’ \u202f])\d{3}(\1\d{3})*$/.test(whole)
  const separator = digits[whole.length]
  if (/^\d*$/.test(whole) || (hasGroups && separator !== whole.replace(/\d/g, '')[0])) {
    if (separator || !isGrouped) meanings.push(`${whole.replace(/\D/g, '') || '0'}.${fraction ?? '0'}`)
  }
  return meanings
}

export interface Spread {
  answer: Reading
  tolerance: number
}

/** readSpread reads "42", "42 ± 0.5", "42 +/- 0.5", "42:0.5", and "41.5..42.5". */
export function readSpread(text: string, read = readNumber): Spread | undefined {
  const [, low, high] = /^(.+?)\s*(?:\.\.|…)\s*(.+)$/.exec(text.trim()) ?? []
  if (low !== undefined && high !== undefined) return between(read(low), read(high))
  const [, middle, distance] = /^(.+?)\s*\(?\s*(?:±|\+\s*\/?\s*[-−–]|:)\s*([^()]+?)\s*\)?$/.exec(text.trim()) ?? []
  const answer = read(middle ?? text)
  if (!answer) return undefined
  if (distance === undefined) return { answer, tolerance: 0 }
  const tolerance = read(distance)
  if (!tolerance || !('number' in tolerance) || tolerance.number < 0) return undefined
  return { answer, tolerance: tolerance.number }
}

function between(low: Reading | undefined, high: Reading | undefined): Spread | undefined {
  if (!low || !high) return undefined
  if (!('number' in low)) return { answer: low, tolerance: 0 }
  if (!('number' in high)) return { answer: high, tolerance: 0 }
  if (low.number > high.number) return undefined
  // Rounded, because 41.6 and 42.4 must give 42 ± 0.4 and not 0.39999999999999858.
  const round = (value: number) => Number(value.toPrecision(12))
  return {
    answer: { number: round((low.number + high.number) / 2) },
    tolerance: round((high.number - low.number) / 2),
  }
}

export const isInRange = (value: number, limit: number) => Math.abs(value) <= limit
