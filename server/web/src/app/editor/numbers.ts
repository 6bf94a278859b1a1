// Numbers that people type.

/** What a text means as a number. "1,000" has two meanings. */
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
