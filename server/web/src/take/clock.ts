// The server's time, computed from its responses and performance.now(). The wall
// clock of the device is never used, because it can be wrong and can change.
import { signal } from '@preact/signals'

// The server's time minus performance.now() lies between these bounds, because the
// server read its clock after the request was sent and before the response arrived.
let lowest = -Infinity
let highest = Infinity

/** observe takes the server's time from a response. `sent` and `received` are times of performance.now(). */
export function observe(serverTime: string, sent: number, received: number): void {
  const at = Date.parse(serverTime)
  const [low, high] = [at - received, at - sent]
  // During sleep, performance.now() can stand still, and earlier bounds are then wrong.
  const contradicts = low > highest || high < lowest
  lowest = contradicts ? low : Math.max(low, lowest)
  highest = contradicts ? high : Math.min(high, highest)
  tick()
}

/** serverNow is the server's time in milliseconds. It needs an earlier observe. */
export function serverNow(): number {
  return performance.now() + (lowest + highest) / 2
}

/** The server's time in whole seconds, which changes once a second. */
export const second = signal(0)

function tick(): void {
  if (lowest > -Infinity) second.value = Math.floor(serverNow() / 1000)
}

/** runClock calls woken when the page has slept: its timers stopped, or the tab was in the background. */
export function runClock(woken: () => void): void {
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    if (now - last > 5000) woken()
    last = now
    tick()
  }, 250)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') woken()
  })
  addEventListener('pageshow', (event) => {
    if (event.persisted) woken()
  })
}
