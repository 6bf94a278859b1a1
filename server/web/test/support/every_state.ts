// What holds in every state of a page: accessibility, sizes, and layout.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { checkAxe } from './axe.ts'
import { hiddenFocus, motions, overflows, smallTargets, spaceTexts } from './layout.ts'
import { announcements } from './live.ts'
import { overlaps, useLonger } from './longer.ts'
import { unprintable } from './paper.ts'
import type { PageName } from './texts.ts'

/** A small phone upright and on its side, and a window of 1280 × 1024 at 400 %. */
const sizes = [
  [320, 640],
  [640, 360],
  [320, 256],
] as const

/** Fails if the state that the page shows cannot be seen, reached, or read by everybody. */
export async function checkState(page: Page, name: string, texts: PageName = 'take'): Promise<void> {
  await checkAxe(page, name)
  await page.emulateMedia({ colorScheme: 'dark' })
  await checkAxe(page, `${name}, dark`)
  await page.emulateMedia({ colorScheme: null, forcedColors: 'active' })
  await checkAxe(page, `${name}, forced colors`)
  await page.emulateMedia({ forcedColors: null })

  const faults: Record<string, string[]> = {}
  const expectNone = (what: string, found: string[]) => {
    if (found.length > 0) faults[what] = found
  }
  const late = (await announcements(page)).filter((announcement) => announcement.late)
  expectNone(
    'status regions that came together with their text',
    late.map(({ text }) => text),
  )
  expectNone('motion, although the candidate wants none', await motions(page))
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    expectNone(`cut off at ${width} × ${height}`, await overflows(page))
  }
  expectNone('hidden on paper', await unprintable(page))
  await page.setViewportSize({ width: 360, height: 640 })
  await spaceTexts(page, true)
  expectNone('cut off with spaced texts', await overflows(page))
  await spaceTexts(page, false)
  expectNone('targets below 44 px', await smallTargets(page))
  expectNone('focus that cannot be seen', [
    ...(await hiddenFocus(page, 'Tab')),
    ...(await hiddenFocus(page, 'Shift+Tab')),
  ])

  // Requirement 34: texts that are 40 percent longer fit everywhere.
  await useLonger(page, texts)
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    expectNone(`cut off at ${width} px with longer texts`, [...(await overflows(page)), ...(await overlaps(page))])
  }
  assert.deepEqual(faults, {})
  assert.equal(await page.locator('h1').count(), 1, 'headings of the view')
}
