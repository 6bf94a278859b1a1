// Pictures in the texts of an assessment, as a candidate sees them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { organization } from './support/api.ts'
import { assessment, singleChoice, stage } from './support/assessments.ts'
import { checkAxeInAllColors } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { drawn, upload } from './support/pictures.ts'
import { until } from './support/until.ts'

after(disconnect)

/** A question with a picture in its prompt and in its first option. */
async function pictured(words: string) {
  const owner = await organization()
  const [wide, small] = [await upload(owner, await drawn(words, 1600, 900)), await upload(owner, await drawn('A', 80, 60))]
  const question = {
    ...singleChoice,
    prompt: `Which shelf is too warm?\n\n![A cold store](media:${wide.id})\n\nLook at the labels.`,
    options: [
      { id: 'a', text: `![The upper shelf](media:${small.id})` },
      { id: 'b', text: 'The lower shelf' },
    ],
    correctOptionId: 'a',
  }
  const published = await owner.publish(assessment([stage({ questions: [question as typeof singleChoice] })]))
  return owner.invite(published)
}

test('23: A picture fits a telephone, moves nothing when it loads, and can be enlarged by keyboard', async (t) => {
  const { link } = await pictured('Narrow')
  const { page } = await open(t, link, {
    viewport: { width: 360, height: 640 },
    before: (page) =>
      page.addInitScript(() => {
        const shifts: number[] = []
        Object.assign(window, { shifts })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
      }),
  })
  await page.route('**/media/*', async (route) => {
    await page.waitForFunction(() => document.querySelector('.prompt'))
    await route.continue()
  })
  const candidate = new Candidate(page)
  await candidate.start()
  const enlarge = page.getByRole('button', { name: 'Enlarge: A cold store' })
  await enlarge.waitFor()
  const picture = enlarge.locator('img')
  await until(async () => assert.equal(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth), 1600))
  const { width, height } = (await picture.boundingBox())!
  assert.ok(width <= 360 && Math.abs(width / height - 16 / 9) < 0.02, `${width} × ${height}`)
  const moved = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  assert.ok(Math.max(0, ...moved) < 0.001, `the page has moved by ${moved}`)
  await checkAxeInAllColors(page, 'question with pictures')

  for (const key of ['Enter', 'Space']) {
    await enlarge.focus()
    await page.keyboard.press(key)
    const dialog = page.getByRole('dialog', { name: 'A cold store' })
    await dialog.getByRole('img', { name: 'A cold store' }).waitFor()
    if (key === 'Enter') await checkAxeInAllColors(page, 'an enlarged picture')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await enlarge.evaluate((button) => button === document.activeElement), 'the focus has returned')
  }
})

test('23: A click on the picture of an option chooses it, and its button enlarges it', async (t) => {
  const { link } = await pictured('Options')
  const { page } = await open(t, link)
  const candidate = new Candidate(page)
  await candidate.start()
  const option = page.getByRole('radio').first()
  await page.locator('.option img').click()
  await until(async () => assert.ok(await option.isChecked()))
  await candidate.choose('The lower shelf')
  await page.locator('.option').getByRole('button', { name: 'Enlarge' }).click()
  await page.getByRole('dialog', { name: 'The upper shelf' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await option.isChecked(), false, 'enlarging chooses nothing')
})

test('23: A picture that does not load shows its alternative text, and can be loaded again', async (t) => {
  const { link } = await pictured('Broken')
  const { page } = await open(t, link, { allow: [/media|Failed to load/] })
  let isBroken = true
  await page.route('**/media/*', (route) => (isBroken ? route.abort() : route.continue()))
  const candidate = new Candidate(page)
  await candidate.start()
  const note = page.locator('.prompt .picture-missing')
  await note.getByText('A cold store').waitFor()
  isBroken = false
  await note.getByRole('button', { name: 'Load the picture again' }).click()
  const picture = page.locator('.prompt img')
  await until(async () => assert.equal(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth), 1600))
  assert.equal(await note.count(), 0)
})
