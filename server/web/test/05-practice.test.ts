// Practice questions: unscored, untimed, and sent nowhere.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited } from './support/api.ts'
import { timed } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { t as words } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

test('5: Practice questions of each type are sent nowhere, and can be skipped', async (t) => {
  const invite = await invited(timed(20))
  const { page, requests } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.button('intro.practice').click()
  await candidate.see('practice.title')
  await checkAxe(page, 'practice')
  assert.equal(await page.getByRole('timer').count(), 0)

  const before = requests.filter((address) => address.includes('/v1/')).length
  await candidate.choose(words('practice.SINGLE_CHOICE.2'))
  await candidate.choose(words('practice.MULTIPLE_CHOICE.1'))
  await candidate.choose(words('practice.MULTIPLE_CHOICE.3'))
  await until(async () => assert.equal(await candidate.option(words('practice.MULTIPLE_CHOICE.1')).isChecked(), true))
  const number = page.getByRole('textbox', { name: words('practice.NUMERIC') })
  await number.pressSequentially('1,5')
  await page.getByText('1,5 = 1.5').waitFor()
  const text = page.getByRole('textbox', { name: words('practice.SHORT_TEXT') })
  await text.pressSequentially('Spring')
  await until(async () => assert.equal(await text.inputValue(), 'Spring'))
  assert.equal(requests.filter((address) => address.includes('/v1/')).length, before)

  // Back leads to the intro, and Forward to the practice.
  await page.goBack()
  await candidate.startButton().waitFor()
  await page.goForward()
  await candidate.see('practice.title')
  await page.reload()
  await candidate.button('practice.end').click()
  assert.equal((await invite.organization.session(invite.sessionId)).status, 'INVITED')
  // Nothing of the practice is in the assessment, which starts without a practice too.
  await candidate.start()
  assert.equal(await page.getByRole('radio', { checked: true }).count(), 0)
})
