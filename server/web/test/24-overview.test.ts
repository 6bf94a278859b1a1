// The way from a question to the overview and back.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { invited } from './support/api.ts'
import { long } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'

after(disconnect)

type Step = (candidate: Candidate) => Promise<unknown>
const step = (name: string, act: Step) => ({ name, act })

/** What a candidate can do between the overview and the way back. Each ends in the overview. */
const detours = [
  step('at once', async () => undefined),
  step('after a reload', ({ page }) => page.reload()),
  step('after the confirmation', async (candidate) => {
    await candidate.submit()
    await candidate.button('confirm.no').click()
  }),
  step('after a reload of the confirmation', async (candidate) => {
    await candidate.submit()
    await candidate.page.reload()
    await candidate.see('confirm.title')
    await candidate.button('confirm.no').click()
  }),
  step('after another question and Back of the browser', async (candidate) => {
    await candidate.jumpTo(3)
    await candidate.page.goBack()
  }),
  step('after the same link again in this tab', async (candidate) => {
    await candidate.page.goto(candidate.page.url().replace(/#.*/, '#overview'))
  }),
]

/** The ways back from the overview. */
const returns = [
  step('the button', (candidate) => candidate.back()),
  step('the keyboard', async (candidate) => {
    await candidate.button('question.back').focus()
    await candidate.page.keyboard.press('Enter')
  }),
]

describe('24: Back leads from the overview to the question that the candidate came from', { concurrency: 2 }, () => {
  for (const detour of detours) {
    test(detour.name, async (t) => {
      const { link } = await invited(long(9))
      const { page } = await open(t, link)
      const candidate = new Candidate(page)
      await candidate.start()
      await candidate.choose('57 °C') // so that another question is the first without an answer
      for (let number = 1; number < 7; number++) await candidate.next()
      for (const way of returns) {
        await candidate.seeQuestion(7)
        await candidate.openOverview()
        await detour.act(candidate)
        await candidate.see('overview.title')
        await way.act(candidate)
        await candidate.seeQuestion(7)
        assert.equal(new URL(page.url()).hash, '#q7', `${detour.name}, ${way.name}`)
      }
      await candidate.openOverview()
      await page.goBack()
      await candidate.seeQuestion(7)
    })
  }
})

test('24: All questions on one page keep the place, and the overview leads back to it', async (t) => {
  const { link } = await invited(long(30))
  const { page } = await open(t, link)
  const candidate = new Candidate(page)
  await candidate.start()
  for (let number = 1; number < 22; number++) await candidate.next()
  await candidate.seeQuestion(22)
  await candidate.openOverview()
  await candidate.button('all.all').click()
  await candidate.see('all.title')
  await page.getByRole('heading', { name: candidate.pattern('question.number', { number: 25 }) }).focus()
  await candidate.openOverview()
  await candidate.back()
  await candidate.see('all.title')
  assert.equal(new URL(page.url()).hash, '#q25')
  await candidate.openOverview()
  await candidate.button('all.one').click()
  await candidate.seeQuestion(25)
})
