// What each public page must be: accessible, and complete in each window.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { checkAxeInAllColors } from './axe.ts'
import { overflows, smallTargets, spaceTexts } from './layout.ts'

/** Checks a public page in all colors, and on a small screen also with spaced texts. */
export async function checkPublicPage(page: Page, state: string): Promise<void> {
  await checkAxeInAllColors(page, state)
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    assert.deepEqual([...(await overflows(page)), ...(await smallTargets(page))], [], `${state}, ${width} px`)
  }
  await page.setViewportSize({ width: 320, height: 700 })
  await spaceTexts(page, true)
  assert.deepEqual(await overflows(page), [], `${state}, spaced`)
  await spaceTexts(page, false)
}
