// Times as the page writes them in the tests' language.

const parts: Intl.DateTimeFormatOptions = {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'shortOffset',
}

/** A date and time in a zone, for example "Sunday, 22 November 2026, 16:05 (UTC, Europe/London)". */
export function dateIn(timeZone: string, at: string): string {
  const words = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(new Date(at)).replaceAll(',', '')
  const [weekday, day, month, year, , time, zone] = words.split(' ')
  return `${weekday}, ${day} ${month} ${year}, ${time} (${zone!.replace(/GMT(\+0$)?/, 'UTC')},\u00a0${timeZone})`
}

/** The time after so many milliseconds. */
export const inFuture = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
