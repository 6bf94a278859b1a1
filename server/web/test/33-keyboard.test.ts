// The whole journey without a mouse, and what the keyboard must not do.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually, invited, savedAnswers } from './support/api.ts'
import { assessment, multipleChoice, numeric, shortText, singleChoice, stage } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { t as words } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

test('33: The whole journey works by keyboard alone, and the focus moves to the heading of each view', async (t) => {
  const invite = await invited(
    assessment([
      stage({ questions: [singleChoice, multipleChoice, numeric, shortText] }),
      stage({ title: 'Allergens', timeLimitMinutes: 10, questions: [shortText] }),
    ]),
    { settings: { privacyNotice: 'We keep your answers for six months.', acknowledgementRequired: true } },
  )
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await forbidPointers(page)
  const { keyboard } = page
  const see = async (key: string, params = {}) => {
    await candidate.see(key, params)
    await page.waitForFunction(() => document.activeElement?.matches('h1'))
  }

  await candidate.startButton().waitFor()
  await page.waitForFunction(() => document.activeElement?.matches('h1'))
  await tabTo(page, words('intro.acknowledge'))
  await keyboard.press('Space')
  await tabTo(page, candidate.pattern('intro.start'))
  await keyboard.press('Enter')

  // Arrow keys choose among radio buttons, and Space among checkboxes.
  await see('question.number', { number: 1 })
  await tabTo(page, '41 °C')
  await keyboard.press('ArrowDown')
  await until(async () => assert.ok(await candidate.option('57 °C').isChecked()))
  await tabTo(page, words('question.flag'))
  await keyboard.press('Enter')
  await press(page, 'question.next')

  await see('question.number', { number: 2 })
  for (const option of ['Cut melon', 'Cut tomatoes', 'Garlic in oil']) {
    await tabTo(page, option)
    await keyboard.press('Space')
  }
  await press(page, 'question.next')

  // Enter in a field submits nothing.
  await see('question.number', { number: 3 })
  await tabToField(page)
  await keyboard.type('74.5')
  await keyboard.press('Enter')
  await until(async () =>
    assert.equal(await candidate.headingText(), words('question.number', { number: 3, total: 4 })),
  )
  await press(page, 'question.next')

  await see('question.number', { number: 4 })
  await tabToField(page)
  await keyboard.type('sesame')
  await press(page, 'question.back')
  await see('question.number', { number: 3 })
  await press(page, 'question.overview')
  await see('overview.title')
  await tabTo(page, new RegExp(`^${words('question.number', { number: 1, total: 4 })}`))
  await keyboard.press('Enter')
  await see('question.number', { number: 1 })
  await press(page, 'question.overview')
  await see('overview.title')
  await press(page, 'overview.submit')
  await see('confirm.title', { number: 1 })
  await eventually(
    () => savedAnswers(invite),
    (answers) => answers.every((answer) => answer !== null),
  )
  await press(page, 'confirm.yes')

  await candidate.button('stage.start').waitFor()
  await page.waitForFunction(() => document.activeElement?.matches('h1'))
  await tabTo(page, candidate.pattern('stage.start'))
  await keyboard.press('Enter')
  await see('question.number', { number: 1 })
  await tabToField(page)
  await keyboard.type('sesame')
  await press(page, 'question.overview')
  await see('overview.title')
  await press(page, 'overview.submit')
  await see('confirm.title', { number: 2 })
  await press(page, 'confirm.yes')
  await see('end.title')
  const session = await invite.organization.session(invite.sessionId)
  assert.deepEqual([session.status, session.score], ['COMPLETED', 100])
})

test('33: In forced colors, the chosen option, the progress, flags, and states can be told apart', async (t) => {
  const invite = await invited(assessment([stage()]))
  const { page } = await open(t, invite.link, { forcedColors: 'active' })
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.choose('57 °C')
  await candidate.flag()
  const found = await page.evaluate(() => {
    const border = (element: Element | null) => getComputedStyle(element!).borderColor
    const options = [...document.querySelectorAll('.option')]
    const chosen = options.find((option) => option.querySelector(':checked'))!
    const other = options.find((option) => !option.querySelector(':checked'))!
    const flag = getComputedStyle(document.querySelector('.map .flagged')!, '::after')
    const { backgroundColor } = getComputedStyle(document.querySelector('.place')!)
    return {
      option: border(chosen) !== border(other),
      state: border(document.querySelector('.map .answered')) !== border(document.querySelector('.map .unanswered')),
      flag: flag.backgroundColor !== backgroundColor && flag.backgroundColor !== 'rgba(0, 0, 0, 0)',
      primary: getComputedStyle(document.querySelector('.actions .primary')!).borderTopWidth,
    }
  })
  assert.deepEqual(found, { option: true, state: true, flag: true, primary: '3px' })
})

/** Makes every use of a pointer an error of the page. */
function forbidPointers(page: Page): Promise<void> {
  return page.evaluate(() => {
    addEventListener('pointerdown', () => console.error('a pointer was used'), true)
  })
}

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = []
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement!
      const label = element instanceof HTMLInputElement ? element.closest('label') : null
      return (element.getAttribute('aria-label') ?? (label ?? element).textContent ?? '').trim().replace(/\s+/g, ' ')
    })
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
    seen.push(focused)
  }
  assert.fail(`Tab does not reach ${String(name)}, but: ${seen.join(' | ')}`)
}

async function tabToField(page: Page): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    if (
      await page.evaluate(() => document.activeElement!.matches('input:not([type=radio], [type=checkbox]), textarea'))
    )
      return
  }
  assert.fail('Tab does not reach the field')
}

/** Presses the button with the text of a key. */
async function press(page: Page, key: string): Promise<void> {
  await tabTo(page, words(key))
  await page.keyboard.press('Enter')
}
