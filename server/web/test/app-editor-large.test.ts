// The editor with 500 questions, the largest assessment.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Assessment } from './support/api.ts'
import { singleChoice } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { openDraft } from './support/draft.ts'
import { hold } from './support/network.ts'

after(disconnect)

const stageOf = (stage: number, count: number) => ({
  title: `Stage ${stage}`,
  questions: Array.from({ length: count }, (_, i) => ({
    ...singleChoice,
    prompt: `Question ${i + 1} of **stage ${stage}**?`,
  })),
})
const large: Assessment = { title: 'Five hundred', stages: [stageOf(1, 400), stageOf(2, 100)] }

test('500 questions open, and take keys, also while they are saved', async (t) => {
  const user = await openDraft(t, large)
  const { page } = user
  const before = Date.now()
  await page.reload()
  await page.locator('.editor-card').first().waitFor()
  const opened = Date.now() - before
  await user.edit(1)
  const release = await hold(page, '/v1/assessments/', { method: 'PATCH', times: 1 })
  await user.prompt.pressSequentially('Typed ')
  await user.status('saving')
  const request = page.waitForResponse((response) => response.request().method() === 'PATCH')
  const measured = measure()
  release()
  const { median, longest, changes } = await measured
  await request
  await user.status('saved')
  t.diagnostic(`opened in ${opened} ms; a key changes ${changes} nodes, after ${median} ms, at most ${longest} ms`)
  // The times depend on the machine. With all questions, a key would change hundreds of nodes.
  assert.ok(changes <= 20, `half of the keys change more than ${changes} nodes`)
  assert.match((await user.saved()).stages[0]!.questions[0]!.prompt, /without delay/)

  /** The median and the longest time from a key to the next frame, in milliseconds, and the median of changed nodes. */
  async function measure(): Promise<{ median: number; longest: number; changes: number }> {
    await page.evaluate(() => {
      const keys: { took: number; changes: number }[] = []
      Object.assign(window, { keys })
      let changes = 0
      new MutationObserver((records) => (changes += records.length)).observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      })
      addEventListener('keydown', () => {
        const start = performance.now()
        changes = 0
        requestAnimationFrame(() => setTimeout(() => keys.push({ took: performance.now() - start, changes })))
      })
    })
    await page.keyboard.type('and saved without delay', { delay: 20 })
    const keys = await page.evaluate(() => (window as unknown as { keys: { took: number; changes: number }[] }).keys)
    const sorted = (of: (key: (typeof keys)[number]) => number) => keys.map(of).sort((a, b) => a - b)
    const took = sorted((key) => key.took)
    return {
      median: Math.round(took[took.length >> 1]!),
      longest: Math.round(took.at(-1)!),
      changes: sorted((key) => key.changes)[keys.length >> 1]!,
    }
  }
})
