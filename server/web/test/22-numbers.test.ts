// Requirements 22 and 23: numbers as people type them, and prompts in Markdown.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, invited, savedAnswers } from './support/api.ts'
import { checkAxe } from './support/axe.ts'
import { assessment, numeric, shortText, stage } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { t as textOf } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

test('22: The page understands numbers as people type them, and shows what it understood', async (t) => {
  const invite = await invited(assessment([stage({ questions: [numeric, shortText] })]))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  const field = candidate.field()
  const note = page.locator('.entry p')
  const understood: [typed: string, shown: string][] = [
    ['0,5', '0,5 = 0.5'],
    ['74.5', ''],
    [' 12 ', ''],
    ['٧٤٫٥', '٧٤٫٥ = 74.5'],
    ['۷۴٫۵', '۷۴٫۵ = 74.5'],
    ['७४.५', '७४.५ = 74.5'],
    ['７４．５', '７４．５ = 74.5'],
    ['−3', '−3 = -3'],
    ['–3', '–3 = -3'],
    ['+3', '+3 = 3'],
    ['1e3', '1e3 = 1000'],
    ['1 000,5', '1 000,5 = 1000.5'],
    ['1’000’000', '1’000’000 = 1000000'],
    ['1.234.567', '1.234.567 = 1234567'],
    ['10,00,000', '10,00,000 = 1000000'],
    ['1.234,5', '1.234,5 = 1234.5'],
    ['1,234.5', '1,234.5 = 1234.5'],
    ['1,000', textOf('field.number.ambiguous', { number: '1000', other: '1' })],
    ['1.500', textOf('field.number.ambiguous', { number: '1.5', other: '1500' })],
    ['0,125', '0,125 = 0.125'],
  ]
  for (const [typed, shown] of understood) {
    await field.fill(typed)
    await assertText(shown)
    await until(async () => assert.equal(await field.getAttribute('aria-invalid'), 'false', typed))
  }
  await eventually(
    () => savedAnswers(invite),
    ([one]) => one?.number === 0.125,
  )
  await candidate.seeSaved()

  const sent = requestsTo(page, '/v1/candidate/session/answers', 'PUT')
  const invalid = textOf('field.number.invalid', { example: '12.5' })
  for (const typed of ['abc', '12 °C', '1,2,3', '1 2', '1.2.3,4', '10²', '½', '0x10', 'Infinity']) {
    await field.fill(typed)
    await assertText(invalid)
    await until(async () => assert.equal(await field.getAttribute('aria-invalid'), 'true', typed))
  }
  await field.fill('1e16')
  await assertText(textOf('field.number.tooLarge'))
  await checkAxe(page, 'number that is none')
  await until(async () => assert.match(await described(), /too large.*0\.125/))
  // A number that is not complete yet is no mistake while the candidate types.
  await field.fill('1e')
  await assertText('')
  await candidate.next()
  await candidate.seeQuestion(2)
  await page.reload()
  await candidate.seeQuestion(2)
  await candidate.back()
  await until(async () => assert.equal(await field.inputValue(), '1e'))
  await assertText(invalid)
  assert.deepEqual(
    sent.flatMap((request) => (request.postDataJSON() as { answers: unknown[] }).answers),
    [],
  )
  assert.deepEqual((await savedAnswers(invite))[0], { number: 0.125 })

  async function assertText(expected: string) {
    const shown = (await note.innerText()).replace(/[\u2068\u2069]/g, '').trim()
    assert.ok(
      expected === '' ? shown === '' : shown.startsWith(expected),
      `"${await field.inputValue()}" shows "${shown}" instead of "${expected}"`,
    )
  }
  async function described() {
    return page.locator(`#${await field.getAttribute('aria-describedby')}`).innerText()
  }
})

test('22: In German, 1,000 is 1, and the page shows numbers with a comma', async (t) => {
  const invite = await invited(assessment([stage({ questions: [numeric] })]))
  const { page } = await open(t, invite.link.replace('#', '?lang=de#'))
  const candidate = new Candidate(page, 'de')
  await candidate.start()
  await candidate.field().fill('1,000')
  await eventually(
    () => savedAnswers(invite),
    ([one]) => one?.number === 1,
  )
  await candidate.field().fill('0.5')
  await page.getByText('0.5 = 0,5').waitFor()
})

const code =
  'const temperatures = [1, 2, 3]\nfor (const one of temperatures) {\n  console.log(`the rice has ${one} degrees, which is too low`)\n}'
const markdown = `What does this print?\n\n\`\`\`javascript\n${code}\n\`\`\`\n\n| food | ${'a very long heading of a column | '.repeat(6)}\n|---|${'---|'.repeat(6)}\n| rice | ${'57 | '.repeat(6)}\n\nThe word ${'x'.repeat(200)} is long. Use \`console.log\`.`

test('23: Code keeps its lines and its direction, and scrolls inside itself', async (t) => {
  const questions = [
    { ...numeric, prompt: markdown },
    { ...numeric, prompt: `ماذا يطبع هذا البرنامج؟\n\n\`\`\`javascript\n${code}\n\`\`\`\n\nاستخدم \`a.b(c)\`.` },
    { ...numeric, prompt: `\`\`\`\n${code}\n\`\`\`\n\nماذا يطبع؟` },
  ]
  const { link } = await invited(assessment([stage({ questions })], { locale: 'ar' }))
  const { page } = await open(t, link.replace('#', '?lang=en#'), { viewport: { width: 360, height: 740 } })
  const candidate = new Candidate(page)
  await candidate.start()
  const pre = page.locator('main pre')
  await until(async () => assert.equal((await pre.innerText()).trim(), code))
  await until(async () => assert.equal(await page.locator('.prompt').getAttribute('lang'), 'ar'))
  await until(async () =>
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true),
  )
  // What scrolls can be reached with the keyboard, and has a name.
  await page.getByRole('group', { name: textOf('prose.code') }).waitFor()
  await page.getByRole('group', { name: textOf('prose.table') }).waitFor()
  await pre.focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForFunction(() => document.querySelector('main pre')!.scrollLeft > 0)
  await checkAxe(page, 'prompt with code and a table')
  // The name of the field is the text without the code.
  await page
    .getByRole('textbox', { name: /^What does this print\? The word x+ is long\. Use console\.log\. / })
    .waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('group', { name: textOf('prose.code') }).waitFor({ state: 'detached' })

  for (const number of [2, 3]) {
    await candidate.next()
    await candidate.seeQuestion(number)
    const directions = await page
      .locator('.prompt, .prompt p, .prompt pre, .prompt code')
      .evaluateAll((all) => all.map((one) => `${one.localName} ${getComputedStyle(one).direction}`))
    assert.deepEqual([...new Set(directions)].sort(), ['code ltr', 'div rtl', 'p rtl', 'pre ltr'], `question ${number}`)
  }
})
