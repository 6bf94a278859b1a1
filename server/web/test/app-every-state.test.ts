// What holds in every state of the dashboard: accessibility, layout, and one heading.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { states } from './app_states/all.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { signedIn, User } from './support/dashboard.ts'
import { gaps, motions, overflows } from './support/layout.ts'
import { open } from './support/page.ts'
import { unprintable } from './support/paper.ts'

after(disconnect)

/** A phone, a tablet, a laptop, and a window of 1280 px at 400 %. */
const widths = [360, 768, 1280, 320]

describe('Every state can be seen, reached, and read', { concurrency: 2 }, () => {
  for (const { name, reach } of states) {
    test(name, async (t) => {
      const { page } = await reach(async (organization, path, options) => {
        const { link, settings } = await signedIn(organization, path, options)
        return new User((await open(t, link, settings)).page)
      })
      await check(page, name)
    })
  }
})

async function check(page: Page, name: string): Promise<void> {
  await checkAxe(page, name)
  await page.emulateMedia({ colorScheme: 'dark' })
  await checkAxe(page, `${name}, dark`)
  await page.emulateMedia({ colorScheme: null })
  const faults: Record<string, string[]> = {}
  const unfilled = await gaps(page)
  if (unfilled.length > 0) faults['texts with a gap'] = unfilled
  const moving = await motions(page)
  if (moving.length > 0) faults['motion, although the person wants none'] = moving
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 })
    const found = await overflows(page)
    if (found.length > 0) faults[`cut off at ${width} px`] = found
  }
  const hidden = await unprintable(page)
  if (hidden.length > 0) faults['hidden on paper'] = hidden
  assert.deepEqual(faults, {})
  assert.equal(await page.locator('h1').count(), 1, 'headings of the screen')
}
