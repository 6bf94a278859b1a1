// The tone of the page.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Nothing on the page is unkind: neither a word nor the color red. */
export async function seeKindness(page: Page): Promise<void> {
  const content = await page.content()
  assert.doesNotMatch(content, /fail|disqualif|reject|score/i)
  const reds = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { color, backgroundColor, borderTopColor } = getComputedStyle(element)
        return [color, backgroundColor, borderTopColor].some((value) => {
          const [r = 0, g = 0, b = 0, alpha = 1] = value.match(/[\d.]+/g)!.map(Number)
          return alpha > 0 && r > 120 && r > 1.8 * g && r > 1.8 * b
        })
      })
      .map((element) => element.outerHTML.slice(0, 100)),
  )
  assert.deepEqual(reds, [])
}
