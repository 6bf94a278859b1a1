// Requirements 20, 21, and 24: one question on each screen, native fields, and the states of questions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, invited, savedAnswers } from './support/api.ts'
import { checkAxe } from './support/axe.ts'
import { assessment, eachType, long, stage, twoStages } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { announced } from './support/live.ts'
import { answer } from './support/network.ts'
import { open } from './support/page.ts'
import { t as textOf } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

const fragment = (url: string) => new URL(url).hash

test('20: Back goes to the previous view, and asks before it leaves the assessment', async (t) => {
  const { link } = await invited(twoStages())
  const { page } = await open(t, link)
  const candidate = new Candidate(page)
  const dialog = page.getByRole('dialog', { name: textOf('leave.title') })
  await candidate.start()
  assert.equal(fragment(page.url()), '#q1')
  await candidate.next()
  await candidate.seeQuestion(2)
  assert.equal(fragment(page.url()), '#q2')
  await candidate.openOverview()
  await candidate.submit()
  assert.equal(fragment(page.url()), '#confirm')
  await page.goBack()
  await candidate.see('overview.title')
  await page.goBack()
  await candidate.seeQuestion(2)
  await page.goBack()
  await candidate.seeQuestion(1)

  await page.goBack()
  await dialog.waitFor()
  await checkAxe(page, 'leave')
  await dialog.getByRole('button', { name: textOf('leave.stay') }).click()
  await dialog.waitFor({ state: 'detached' })
  await candidate.seeQuestion(1)
  assert.equal(fragment(page.url()), '#q1')

  // A number typed by hand. One that is too high is the last question.
  await page.evaluate(() => {
    location.hash = '#q3'
  })
  await candidate.seeQuestion(3)
  await page.evaluate(() => {
    location.hash = '#q99'
  })
  await candidate.seeQuestion(4)
  assert.equal(fragment(page.url()), '#q4')
  await page.reload()
  await candidate.seeQuestion(4)
  await page.goBack()
  await candidate.seeQuestion(3)

  // In the next stage, Back does not return to the stage before.
  await candidate.submitStage()
  await candidate.button('stage.start').waitFor()
  await page.goBack()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await candidate.startStage()
  await page.goBack()
  await dialog.waitFor()
  await dialog.getByRole('button', { name: textOf('leave.leave') }).click()
  await page.waitForURL('about:blank')
})

test('20: All questions on one page is a choice that is kept', async (t) => {
  const invite = await invited(eachType())
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.openOverview()
  await candidate.button('all.all').click()
  await candidate.see('all.title', { count: 4 })
  await checkAxe(page, 'all questions')
  await candidate.choose('57 °C')
  await candidate.choose('Cut melon')
  await page.getByRole('textbox').first().fill('74.5')
  await page.getByRole('textbox').last().fill('sesame')
  const saved = await eventually(
    () => savedAnswers(invite),
    (answers) => answers.every((one) => one !== null),
  )
  assert.deepEqual(saved, [{ optionId: 'b' }, { optionIds: ['melon'] }, { number: 74.5 }, { text: 'sesame' }])
  assert.equal(fragment(page.url()), '#q4')
  await page.reload()
  await candidate.see('all.title', { count: 4 })
  await candidate.openOverview()
  await page.getByRole('link', { name: 'Question 2 of 4' }).click()
  await candidate.see('all.title', { count: 4 })
  await until(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Question 2 of 4'),
  )
  await candidate.button('all.one').click()
  await candidate.seeQuestion(2)
})

test('21: Inputs are native, and the prompt is their label', async (t) => {
  const { link } = await invited(eachType())
  const { page } = await open(t, link)
  const candidate = new Candidate(page)
  await candidate.start()
  await page
    .getByRole('group', { name: `Which temperature keeps cooked rice safe? ${textOf('question.chooseOne')}` })
    .waitFor()
  await page.getByText(textOf('points', { count: 2 })).waitFor()
  await until(async () => assert.deepEqual(await inputs(), ['fieldset', 'radio', 'radio', 'radio']))

  // One Tab reaches the options, and each arrow key saves an answer.
  await candidate.option('41 °C').focus()
  await page.keyboard.press('ArrowDown')
  await until(async () => assert.equal(await candidate.option('57 °C').isChecked(), true))
  await candidate.seeSaved()
  await candidate.next()
  await page.getByRole('group', { name: `Which of these must stay cold? ${textOf('question.chooseSome')}` }).waitFor()
  await until(async () =>
    assert.deepEqual(await inputs(), ['fieldset', 'checkbox', 'checkbox', 'checkbox', 'checkbox']),
  )
  await candidate.next()
  await page
    .getByRole('textbox', {
      name: `Which core temperature, in °C, must stuffed chicken reach? ${textOf('question.number.label')}`,
    })
    .waitFor()
  await until(async () => assert.equal(await candidate.field().getAttribute('inputmode'), 'decimal'))
  await candidate.next()
  await page
    .getByRole('textbox', { name: `Which seed is a major allergen? ${textOf('question.text.label')}` })
    .waitFor()

  function inputs() {
    return page
      .locator('main')
      .locator('fieldset, input, textarea')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).type))
  }
})

test('21: A text that is too long is neither cut nor sent', async (t) => {
  const invite = await invited(
    assessment([
      stage({ questions: [{ type: 'SHORT_TEXT', prompt: 'Describe it.', points: 1, acceptedAnswers: ['x'] }] }),
    ]),
  )
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  const field = candidate.field()
  // The server counts characters, and JavaScript counts 2 for each of these.
  await field.fill('🍚'.repeat(1990))
  await page.getByText(textOf('field.text.left', { count: 10 })).waitFor()
  const saved = await eventually(
    () => savedAnswers(invite),
    ([one]) => one != null,
  )
  assert.equal([...saved[0]!.text!].length, 1990)
  await field.fill('🍚'.repeat(2012))
  await page
    .getByText(textOf('field.text.tooLong', { count: 12 }))
    .first()
    .waitFor()
  await until(async () => assert.equal(await field.getAttribute('aria-invalid'), 'true'))
  await checkAxe(page, 'text too long')
  await page.reload()
  await candidate.seeQuestion(1)
  await until(async () => assert.equal([...(await field.inputValue())].length, 2012))
  await candidate.openOverview()
  await page.getByRole('link', { name: new RegExp(`^Question 1 of 1 .* ${textOf('state.unsaved')}$`) }).waitFor()
  await candidate.submit()
  await page.getByText(textOf('confirm.invalid', { count: 1 })).waitFor()
  await page.getByRole('link', { name: textOf('confirm.question', { number: 1 }) }).click()
  await candidate.seeQuestion(1)
  await field.fill('🍚'.repeat(2000))
  await eventually(
    () => savedAnswers(invite),
    ([one]) => [...one!.text!].length === 2000,
  )
})

test('24: The candidate can flag, clear, and skip, and the overview says the state of each question', async (t) => {
  const invite = await invited(long(6))
  const { page, allow } = await open(t, invite.link)
  const candidate = new Candidate(page)
  const place = (number: number, ...states: string[]) =>
    page.getByRole('link', {
      name: new RegExp(`^Question ${number} of 6 .* ${states.map((state) => textOf(`state.${state}`)).join(' ')}$`),
    })
  await candidate.start()
  await candidate.choose('57 °C')
  await candidate.flag()
  await until(async () => assert.ok((await announced(page)).includes(textOf('state.flagged'))))
  await candidate.next()
  await candidate.choose('Cut melon')
  await eventually(
    () => savedAnswers(invite),
    ([, second]) => second !== null,
  )
  await candidate.clear()
  await until(async () => assert.equal(await candidate.option('Cut melon').isChecked(), false))
  await eventually(
    () => savedAnswers(invite),
    ([, second]) => second === null,
  )
  await candidate.next() // skips question 3
  await candidate.next()
  // The map beside the question says the same.
  await page
    .getByRole('navigation')
    .getByRole('link', { name: ['Question 1 of 6', textOf('state.answered'), textOf('state.flagged')].join(', ') })
    .waitFor()
  await until(async () =>
    assert.equal(await page.getByRole('navigation').locator('[aria-current=step]').textContent(), '4'),
  )
  allow(/^503: /)
  await answer(page, '/v1/candidate/session/answers', { status: 503 })
  await candidate.type('sesame')
  await candidate.openOverview()
  await place(1, 'answered', 'flagged').waitFor()
  await place(2, 'unanswered').waitFor()
  await place(3, 'unanswered').waitFor()
  await place(4, 'unsaved').waitFor()
  await page.getByText(textOf('map.flagged', { count: 1 })).waitFor()
  await checkAxe(page, 'overview with all states')
  await place(2, 'unanswered').click()
  await candidate.seeQuestion(2)
  await candidate.back()
  await candidate.button('question.unflag').click()
  await candidate.openOverview()
  await place(1, 'answered').waitFor()
  await page.unrouteAll()
  await place(4, 'answered').waitFor()
})
