// English dates, as server/mail writes them. Both are tested with server/mail/testdata/english_dates.json.

/** A long date and time. */
export const long: Intl.DateTimeFormatOptions = {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
}

/** englishDate is a time with its zone: "Friday, 4 December 2026, 23:59 (UTC+1, Europe/Berlin)". */
export function englishDate(at: Date, timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { ...long, hour: '2-digit', timeZoneName: 'shortOffset', timeZone })
  // Browsers differ in what stands between the parts.
  const [weekday, day, month, year, time, offset] = format.format(at).replace(/,| at\b/g, '').split(' ')
  const zone = timeZone ?? format.resolvedOptions().timeZone // which can be an earlier name, such as Asia/Katmandu
  const named = zone.includes('/') ? `,\u00a0${zone.replaceAll('_', ' ')}` : ''
  // Chromium writes GMT+0, and Node GMT.
  const utc = offset!.replace(/GMT(\+0$)?/, 'UTC').replace('-', '\u2212')
  return `${weekday}, ${day} ${month} ${year}, ${time} (${utc}${named})`
}
