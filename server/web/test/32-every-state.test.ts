// What holds in every state of the page: accessibility, sizes, and layout.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { hiddenFocus, motions, overflows, smallTargets, spaceTexts } from './support/layout.ts'
import { announcements } from './support/live.ts'
import { open } from './support/page.ts'
import { states } from './states.ts'

after(disconnect)

/** A small phone upright and on its side, and a window of 1280 × 1024 at 400 %. */
const sizes = [[320, 640], [640, 360], [320, 256]] as const

describe('32, 33: Every state can be seen, reached, and read', { concurrency: 3 }, () => {
  for (const { name, reach } of states) {
    test(name, async (t) => {
      const { page } = await reach(async (link, options) => new Candidate((await open(t, link, options)).page))

      await checkAxe(page, name)
      await page.emulateMedia({ colorScheme: 'dark' })
      await checkAxe(page, `${name}, dark`)
      await page.emulateMedia({ colorScheme: null, forcedColors: 'active' })
      await checkAxe(page, `${name}, forced colors`)
      await page.emulateMedia({ forcedColors: null })
      assert.deepEqual((await announcements(page)).filter(({ late }) => late), [], 'status regions that came with their text')
      assert.equal(await page.locator('h1').count(), 1, 'headings of the view')
      assert.deepEqual(await motions(page), [], 'motion, although the candidate wants none')

      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height })
        assert.deepEqual(await overflows(page), [], `at ${width} × ${height}`)
      }
      await page.setViewportSize({ width: 360, height: 640 })
      await spaceTexts(page, true)
      assert.deepEqual(await overflows(page), [], 'with spaced texts')
      await spaceTexts(page, false)
      assert.deepEqual(await smallTargets(page), [], 'targets below 44 px')
      for (const key of ['Tab', 'Shift+Tab'] as const) assert.deepEqual(await hiddenFocus(page, key), [], `focus with ${key}`)
    })
  }
})
