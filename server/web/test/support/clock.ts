// The wall clock of the candidate's device. performance.now() stays as it is.
import type { Page } from 'playwright-core'

/** Shifts the wall clock of a page from before its scripts; call it before the page opens. */
export async function shiftClock(page: Page, offsetMs: number): Promise<void> {
  await page.addInitScript(install, offsetMs)
}

/** Changes the offset while the page is open, as a correction of the device's clock does. */
export async function moveClock(page: Page, offsetMs: number): Promise<void> {
  await page.addInitScript(install, offsetMs)
  await page.evaluate(install, offsetMs)
}

/** Runs in the page. */
function install(offsetMs: number): void {
  const global = window as unknown as { clockOffset?: number; Date: DateConstructor }
  const installed = global.clockOffset !== undefined
  global.clockOffset = offsetMs
  if (installed) return
  const Real = Date
  global.Date = new Proxy(Real, {
    construct: (_, args, target) =>
      args.length === 0
        ? Reflect.construct(Real, [Real.now() + (global.clockOffset ?? 0)], target)
        : Reflect.construct(Real, args, target),
    apply: () => new Real(Real.now() + (global.clockOffset ?? 0)).toString(),
    get: (_, property) =>
      property === 'now' ? () => Real.now() + (global.clockOffset ?? 0) : Reflect.get(Real, property),
  })
}
