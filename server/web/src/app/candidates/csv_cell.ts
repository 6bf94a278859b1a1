// A cell of a CSV file.

/**
 * cellOf puts an apostrophe before a sign that would begin a formula (OWASP, "CSV Injection"). A cell can also begin
 * after a separator or the end of a line in the text: see SafeText in server/spreadsheet/csv.go, which is the same rule.
 */
export function cellOf(value: string): string {
  let safe = /^[\t\r\n]/.test(value) ? "'" : ''
  let begins = !safe
  for (const sign of value) {
    if (begins && '=+-@＝＋－＠'.includes(sign)) safe += "'"
    begins = ',;|\t\r\n'.includes(sign) || (begins && /["\s]/.test(sign))
    safe += sign
  }
  return /[",;\r\n]|^ /.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
