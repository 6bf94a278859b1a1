// The clock of the page, and ways to make it wrong.
import type { Page } from 'playwright-core'
import { ok, type Invite } from './api.ts'

/** The seconds that the page's clock shows. */
export async function shownSeconds(page: Page): Promise<number> {
  const shown = await page.getByRole('timer').innerText()
  const [digits = ''] = /[\d:]+/.exec(shown) ?? []
  return digits.split(':').reduce((seconds, part) => 60 * seconds + Number(part), 0)
}

/** The seconds that are left for the current stage, by the server. */
export async function trueSeconds({ candidate }: Pick<Invite, 'candidate'>): Promise<number> {
  const { deadlineAt, serverTime } = await ok(candidate.GET('/v1/candidate/session/stage'))
  return (Date.parse(deadlineAt ?? '') - Date.parse(serverTime)) / 1000
}

/** Lets a test move performance.now(); call it before the page opens. */
export async function controlMonotonic(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const real = performance.now.bind(performance)
    const global = window as unknown as { ahead?: number }
    performance.now = () => real() + (global.ahead ?? 0)
  })
}

/** Moves performance.now() so that the clock shows these seconds. */
export async function jumpTo(page: Page, seconds: number): Promise<void> {
  const by = ((await shownSeconds(page)) - seconds) * 1000
  await page.evaluate((by) => {
    const global = window as unknown as { ahead?: number }
    global.ahead = (global.ahead ?? 0) + by
  }, by)
}

/** Moves the server's time in all responses by the current value of `by`, in milliseconds. */
export async function shiftServerTime(page: Page, shift: { by: number }): Promise<void> {
  await page.route(/\/v1\/candidate\//, async (route) => {
    if (shift.by === 0) return route.fallback()
    const response = await route.fetch()
    if (response.status() === 304) return route.fulfill({ response })
    const body = (await response.json()) as { data?: { serverTime?: string } }
    const time = body.data?.serverTime
    if (body.data && time) body.data.serverTime = new Date(Date.parse(time) + shift.by).toISOString()
    await route.fulfill({ response, json: body })
  })
}

/** Tells the page that it became visible, or that the browser brought it back from its cache. */
export function wake(page: Page, how: 'visible' | 'restored'): Promise<void> {
  return page.evaluate((how) => {
    if (how === 'visible') document.dispatchEvent(new Event('visibilitychange'))
    else dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  }, how)
}
