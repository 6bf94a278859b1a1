// The same question and all answers, wherever the candidate returns.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { until } from './support/until.ts'

after(disconnect)

test('19: Reload, Back, Forward, a duplicate, the link, and another device show the same question and all answers', async (t) => {
  const invite = await invited(eachType())
  const { page, context } = await open(t, invite.link)
  const candidate = new Candidate(page)
  const seeThird = async (returned: Candidate) => {
    await returned.seeQuestion(3)
    await until(async () => assert.equal(await returned.field().inputValue(), '74.5'))
  }
  await candidate.start()
  await candidate.choose('57 °C')
  await candidate.next()
  await candidate.choose('Cut melon')
  await candidate.next()
  await candidate.type('74.5')
  await candidate.field().blur()
  await candidate.seeSaved()
  await page.reload()
  await seeThird(candidate)
  await page.goBack()
  await candidate.seeQuestion(2)
  await until(async () => assert.equal(await candidate.option('Cut melon').isChecked(), true))
  await page.goForward()
  await seeThird(candidate)

  // A duplicate has the address and the sessionStorage of its original.
  const duplicated = page.waitForEvent('popup')
  await page.evaluate(() => void window.open(location.href))
  const duplicate = new Candidate(await duplicated)
  await duplicate.button('otherTab.take').click()
  await seeThird(duplicate)
  await duplicate.page.close()

  await page.goto('about:blank')
  await page.goto(invite.link)
  await seeThird(candidate)
  const device = new Candidate((await open(t, invite.link)).page)
  // Another device does not know the view, and shows the first question without an answer.
  await device.seeQuestion(4)
  await device.back()
  await seeThird(device)
  await device.page.close()

  await candidate.openOverview()
  await page.reload()
  await candidate.see('overview.title')
  await candidate.submit()
  await page.reload()
  await candidate.see('confirm.title')
  await page.goBack()
  await candidate.see('overview.title')
  await page.close()
  const again = new Candidate((await open(t, invite.link, { context })).page)
  await again.see('overview.title')
})
