// Checks of a page that may still be changing.
import { AssertionError } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats the check until it passes. After ten seconds, its error is thrown. */
export async function until(check: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + 10_000; ; await sleep(50)) {
    try {
      await check()
      return
    } catch (error) {
      if (!(error instanceof AssertionError) || performance.now() > end) throw error
    }
  }
}
