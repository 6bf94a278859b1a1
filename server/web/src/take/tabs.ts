// One tab of this browser works on a session. The others are read-only.
import { signal } from '@preact/signals'

/** Whether another tab has taken over. */
export const readOnly = signal(false)

let release: (() => void) | undefined

/** hold makes this tab the one that works on the session. It returns false if another tab is. */
export function hold(session: string, options: { steal?: boolean } = {}): Promise<boolean> {
  // Browsers offer locks on HTTPS and localhost only.
  if (release || !navigator.locks) return Promise.resolve(true)
  return new Promise((done) => {
    const held = navigator.locks.request(`assay-take-${session}`, options.steal ? { steal: true } : { ifAvailable: true }, (lock) => {
      if (!lock) return done(false)
      readOnly.value = false
      done(true)
      return new Promise<void>((ended) => {
        release = ended
      })
    })
    held.catch(() => {
      // Another tab has stolen the lock.
      release = undefined
      readOnly.value = true
    })
  })
}
