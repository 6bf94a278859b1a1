// Warnings that the time is running out, spoken and visible.
import { effect, signal, untracked } from '@preact/signals'
import { announce } from '../shared/announce.ts'
import { text } from '../shared/i18n.tsx'
import { duration } from './durations.ts'
import { deadline, left, total } from './time.ts'

const steps = [600, 300, 60, 30, 10]
/** How long a warning is visible, in seconds. */
const visibleFor = 15

/** The warning that is visible. */
export const warning = signal('')

/**
 * pace is the time between two questions to the server, in milliseconds. While a deadline runs, a change must reach
 * the candidate within five seconds: added time, the end of a stage, a cancellation. At the end it asks more often, so
 * that it announces the last seconds, and locks the fields, only if no time was added.
 */
export function pace(): number {
  if (!deadline.value || document.hidden || !navigator.onLine) return 50_000
  return left.value! < 33 ? 1500 : 3750
}

let end: number | undefined
let before: number | undefined
let lowest = Infinity
let hideAt = 0

// warn speaks the warning whose time has come. Warnings that were due while the page
// was closed or asleep are left out.
function warn(seconds: number): void {
  const all = total()
  const half = Math.floor(all / 2)
  const due = [half, ...steps].filter((step) => step < all && step < lowest && step < before! && step >= seconds)
  if (seconds <= hideAt) warning.value = ''
  if (due.length === 0 || seconds === 0) return
  lowest = Math.min(...due)
  // After sleep, more time can have passed.
  const time = duration(lowest - seconds < 2 ? lowest : seconds)
  warning.value = text(lowest === half ? 'time.warning.half' : 'time.warning', { time })
  hideAt = seconds - visibleFor
  announce(warning.value)
}

effect(() => {
  const seconds = left.value
  const at = deadline.value
  untracked(() => {
    if (at !== end || seconds === undefined) {
      warning.value = ''
      lowest = Infinity
    } else if (seconds !== before) warn(seconds)
    end = at
    before = seconds
  })
})
