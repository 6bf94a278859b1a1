// The server's time, computed from its responses and performance.now(). The wall
// clock of the device is never used, because it can be wrong and can change.
import { signal } from '@preact/signals'

// The server's time minus performance.now() lies between these bounds, because the
// server read its clock after the request was sent and before the response arrived.
let lowest = -Infinity
let highest = Infinity

// The times of performance.now() at the latest response, the latest question to the
// server, and the latest sign that the device has slept.
let observed = 0
let asked = 0
let woke = 0

/** How far the clocks of the device and of the server drift apart, per millisecond. */
const driftRate = 1e-4
/** needsTime reports whether the time can be wrong by 2 s, or has not been compared for a while. */
export const needsTime = () => highest - lowest > 4000 || observed < woke || performance.now() - observed > 50_000

/** rest asks the server no question for some seconds. */
export function rest(seconds = 0): void {
  asked = performance.now() + seconds * 1000
}

/** The server's time in milliseconds, which changes four times a second. */
export const now = signal(0)

/** observe takes the server's time from a response. `sent` and `received` are times of performance.now(). */
export function observe(serverTime: string, sent: number, received: number): void {
  // Such a response can have waited while the device slept.
  if (sent < woke && observed > 0) return
  const at = Date.parse(serverTime)
  // The server's time is rounded down to a millisecond.
  const [low, high] = [at - received, at + 1 - sent]
  const drift = (received - observed) * driftRate
  // During sleep, performance.now() can stand still, and earlier bounds are then wrong.
  const contradicts = low > highest + drift || high < lowest - drift || observed < woke
  lowest = contradicts ? low : Math.max(low, lowest - drift)
  highest = contradicts ? high : Math.min(high, highest + drift)
  observed = received
  asked = Math.max(asked, sent)
  tick()
}

/** serverNow is the server's time in milliseconds. It needs an earlier observe. */
export function serverNow(): number {
  return performance.now() + (lowest + highest) / 2
}

function tick(): void {
  if (observed > 0) now.value = serverNow()
}

/**
 * runClock calls ask when the page must ask the server how things are: after it has slept, and `pace` milliseconds
 * after the latest question.
 */
export function runClock(ask: () => void, pace: () => number): void {
  let last = performance.now()
  let gap = Date.now() - last
  const request = () => {
    asked = performance.now()
    ask()
  }
  const woken = () => {
    woke = performance.now()
    request()
  }
  setInterval(() => {
    const current = performance.now()
    // Some devices stop performance.now() while they sleep. The wall clock then moves
    // against it. This is a reason to ask, and says nothing about the time.
    const moved = Date.now() - current - gap
    gap += moved
    if (current - last > 2000 || Math.abs(moved) > 500) woken()
    else if (current - asked > pace()) request()
    last = current
    tick()
  }, 250)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) woken()
  })
  addEventListener('pageshow', (event) => {
    if (event.persisted) woken()
  })
}
