// English dates, as server/mail writes them. Both are tested with server/mail/testdata/english_dates.json.

/** englishDate is a time with its zone: "Friday, 4 December 2026, 23:59 (UTC+1, Europe/Berlin)". */
export function englishDate(at: Date, timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
    ...(timeZone && { timeZone }),
  })
  const part: Record<string, string> = {}
  for (const { type, value } of format.formatToParts(at)) part[type] = value
  const zone = timeZone ?? format.resolvedOptions().timeZone // which can be an earlier name, such as Asia/Katmandu
  const offset = part.timeZoneName!.replace('GMT', 'UTC').replace('-', '\u2212')
  const named = zone.includes('/') ? `${offset},\u00a0${zone.replaceAll('_', ' ')}` : offset
  return `${part.weekday}, ${part.day} ${part.month} ${part.year}, ${part.hour}:${part.minute} (${named})`
}
