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
  assert.doesNotMatch(await page.getByRole('main').innerText(), jargon)
  await checkAxe(page, 'replaced link')
  await candidate.button('continue.other').click()
  await page.getByLabel(words('link.missing.field')).fill(newer)
  await candidate.button('link.missing.open').click()
  await candidate.startButton().waitFor()
})

test('6: A cancelled assessment says whom to ask, also while it is open', async (t) => {
  const invite = await invited(eachType(), { settings: { supportEmail: 'jobs@harbour-kitchens.example' } })
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await ok(
    invite.organization.api.POST('/v1/candidate-sessions/{id}/cancel', { params: { path: { id: invite.sessionId } } }),
  )
  await candidate.option('57 °C').click()
  await candidate.see('link.replaced.title')
  await page.getByRole('link', { name: 'jobs@harbour-kitchens.example' }).waitFor()
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
