// Times as the page writes them in the tests' language.

const parts: Intl.DateTimeFormatOptions = {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'long',
}

/** A date and time in a zone, for example "Sunday 22 November 2026 at 16:05 Greenwich Mean Time". */
export function dateIn(timeZone: string, at: string): string {
  return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(new Date(at))
}

/** The time after so many milliseconds. */
export const inFuture = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
