// Links that lead to no assessment.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited, ok, organization } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { dateIn, inFuture } from './support/dates.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { servedBelow } from './support/proxy.ts'
import { sharedServer } from './support/server.ts'
import { t as words } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

/** What no page for candidates says. */
const jargon = /\b(401|404|409|410|HTTP|API|token|status|error|session|unauthenticated|invalid)\b/i

test('6: A missing or damaged link asks for the whole link', async (t) => {
  const invite = await invited(eachType())
  const { page } = await open(t, `${sharedServer()}/take`)
  const candidate = new Candidate(page)
  await candidate.see('link.missing.title')
  assert.equal(await page.getByText(words('link.missing.invalid')).count(), 0)
  await checkAxe(page, 'no link')

  await page.goto(invite.link.slice(0, -10))
  await page.getByText(words('link.missing.invalid')).waitFor()
  assert.equal(new URL(page.url()).hash, '')
  assert.doesNotMatch(await page.getByRole('main').innerText(), jargon)
  await checkAxe(page, 'damaged link')

  const field = page.getByLabel(words('link.missing.field'))
  await field.fill(invite.token.slice(0, -1))
  await candidate.button('link.missing.open').click()
  await until(async () => assert.equal(await field.evaluate((element) => element === document.activeElement), true))
  // As an email program breaks the lines.
  await field.fill(`Open ${invite.link.slice(0, 60)} ${invite.link.slice(60)} to begin.`)
  await page.keyboard.press('Enter')
  await candidate.startButton().waitFor()
})

test('6: A link that was replaced leads to the newer one', async (t) => {
  const invite = await invited(eachType())
  const { data } = await invite.organization.api.POST('/v1/candidate-sessions/{id}/resend', {
    params: { path: { id: invite.sessionId } },
    body: {},
  } as never)
  const newer = (data as unknown as { data: { inviteUrl: string } }).data.inviteUrl
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.see('link.replaced.title')
  await page.getByText(words('link.renewed.text', { organization: invite.organization.name })).waitFor()
  assert.doesNotMatch(await page.getByRole('main').innerText(), jargon)
  await checkAxe(page, 'replaced link')
  await candidate.button('continue.other').click()
  await page.getByLabel(words('link.missing.field')).fill(newer)
  await candidate.button('link.missing.open').click()
  await candidate.startButton().waitFor()
})

for (const [kind, path, end] of [
  ['cancelled', 'cancel', 'link.cancelled'],
  ['erased', 'candidate-data', 'link.erased'],
] as const) {
  for (const moment of ['before it is opened', 'before the start', 'while it is open'] as const) {
    test(`6: The page of an assessment that is ${kind} ${moment} says who did it, and whom to ask`, async (t) => {
      const supportEmail = 'jobs@harbour-kitchens.example'
      const invite = await invited(eachType(), { settings: { supportEmail, locale: 'en' } })
      const { api, name } = invite.organization
      const params = { params: { path: { id: invite.sessionId } } }
      const change = () =>
        path === 'cancel'
          ? ok(api.POST('/v1/candidate-sessions/{id}/cancel', params))
          : api.DELETE('/v1/candidate-sessions/{id}/candidate-data', params)
      if (moment === 'before it is opened') await change()
      const { page } = await open(t, invite.link)
      const candidate = new Candidate(page)
      if (moment !== 'before it is opened') {
        await candidate.startButton().waitFor()
        if (moment === 'while it is open') await candidate.start()
        await change()
        if (moment === 'while it is open') await candidate.option('57 °C').click()
        else await candidate.startButton().click()
      }
      await candidate.see(`${end}.title`)
      await page.getByText(words(`${end}.text`, { organization: name })).waitFor()
      await page.getByRole('link', { name: supportEmail }).waitFor()
      const main = await page.getByRole('main').innerText()
      assert.doesNotMatch(main, jargon)
      if (kind === 'erased') assert.ok(!(await page.content()).includes('Line cook'), 'the page shows what it knew')
      await checkAxe(page, `${kind} ${moment}`)
    })
  }
}

test('6: An invitation that ends before the assessment opens says so', async (t) => {
  const owner = await organization({ timeZone: 'Europe/Berlin' })
  const assessmentId = await owner.publish(eachType())
  const invite = await owner.invite(assessmentId, { expiresAt: inFuture(3600_000) })
  const opensAt = inFuture(7200_000)
  await ok(owner.api.PATCH('/v1/assessments/{id}', { params: { path: { id: assessmentId } }, body: { opensAt } }))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.see('closed.early.title')
  const { expiresAt } = await owner.session(invite.sessionId)
  const dates = { date: dateIn('Europe/Berlin', opensAt), end: dateIn('Europe/Berlin', expiresAt) }
  await page.getByText(words('closed.early.text', { organization: owner.name, title: 'Line cook: food safety', ...dates })).waitFor()
  assert.doesNotMatch(await page.getByRole('main').innerText(), jargon)
  await checkAxe(page, 'ends before it opens')
})

test('6: An expired invitation says until when it was valid, and whom to ask', async (t) => {
  const owner = await organization({ timeZone: 'Europe/Berlin' })
  const invite = await owner.invite(await owner.publish(eachType()), { expiresAt: inFuture(8000) })
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.startButton().waitFor()
  // The page learns it by itself, and after a reload too.
  await candidate.see('link.expired.title')
  await page.reload()
  await candidate.see('link.expired.title')
  const date = dateIn('Europe/Berlin', (await owner.session(invite.sessionId)).expiresAt)
  const text = words('link.expired.text', { organization: owner.name, title: 'Line cook: food safety', date })
  await page.getByText(text).waitFor()
  await page.getByText(words('link.expired.ask', { contact: owner.name })).waitFor()
  assert.doesNotMatch(await page.getByRole('main').innerText(), jargon)
  await checkAxe(page, 'expired')
})

test('6: The link of a finished assessment shows the end page again', async (t) => {
  const invite = await invited(eachType())
  await ok(invite.candidate.POST('/v1/candidate/session/start'))
  const { id } = await ok(invite.candidate.GET('/v1/candidate/session/stage'))
  await ok(invite.candidate.POST('/v1/candidate/session/stage/submit', { body: { stageId: id } }))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.seeEnd()
  await page.reload()
  await candidate.seeEnd()
})

test('6: The page works below a path of a proxy', async (t) => {
  const invite = await invited(eachType())
  const base = await servedBelow(t, '/hiring')
  const { page } = await open(t, `${base}/take#${invite.token}`)
  const candidate = new Candidate(page)
  await candidate.start()
  await page.reload()
  await candidate.seeQuestion(1)
  assert.equal(page.url(), `${base}/take#q1`)
  await candidate.answerEachType()
  await candidate.submitStage()
  await candidate.seeEnd()
})
