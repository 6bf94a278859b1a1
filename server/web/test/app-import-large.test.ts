// The import of 500 questions, the most that an assessment has.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { until } from './support/until.ts'

after(disconnect)

/** The longest time that the page may take for a key, so that nobody notices it (RAIL). */
const longest = 50

const text = Array.from(
  { length: 500 },
  (_, i) => `${i + 1}. Which of these is the number ${i}, and not another one?\nA) ${i}\nB) ${i + 1}\nC) ${i + 2}\nAnswer: A\n`,
).join('\n')

test('500 questions are all shown, and do not delay the keys', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, '/assessments/import')
  const { page } = user
  const source = page.locator('#import-text')
  // As a browser pastes. The keyboard of the tests inserts line by line.
  await source.evaluate((area, text) => {
    ;(area as HTMLTextAreaElement).value = text
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }, text)
  await user.read('import.understood', { count: 500 })
  const items = page.locator('.import-questions ol > li')
  await until(async () => assert.equal(await items.count(), 500))
  assert.equal(await items.last().locator('.import-prompt').textContent(), 'Which of these is the number 499, and not another one?')
  // A few lines have elements, however long the text is.
  assert.ok((await page.locator('.import-rows span').count()) < 80)

  await page.evaluate(() => {
    const delays: number[] = []
    Object.assign(window, { delays })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) delays.push(entry.duration)
    }).observe({ type: 'longtask', buffered: false })
  })
  const delays = () => page.evaluate(() => (window as unknown as { delays: number[] }).delays)
  // In the first line, so that all other questions move.
  await source.evaluate((area) => (area as HTMLTextAreaElement).setSelectionRange(0, 0))
  await source.pressSequentially('0. Is it so?\nAnswer: 5\n\n', { delay: 30 })
  const typing = await delays()
  await user.read('import.attention.none')
  await page.locator('.import-prompt').filter({ hasText: 'Is it so?' }).waitFor()
  await until(async () => assert.equal(await items.count(), 501))
  const all = await delays()
  t.diagnostic(`long tasks while typing: ${typing.map(Math.round)} ms; with the response: ${all.map(Math.round)} ms`)
  assert.deepEqual(typing.filter((duration) => duration > longest * slack), [], 'tasks that delay a key')
})

/** The machine of the tests runs other tests, too. A task that shows all questions again takes ten times as long. */
const slack = 2
