// The privacy notice, and its acknowledgement.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited, ok } from './support/api.ts'
import { gated } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { t as words } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

const privacyUrl = 'https://harbour-kitchens.example/privacy'

test('4: The candidate reads the privacy notice, and ticks the box before the start', async (t) => {
  const invite = await invited(gated(), {
    settings: { privacyNotice: 'We keep your answers for **six months**.', privacyUrl, acknowledgementRequired: true },
  })
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  const organization = invite.organization.name
  await page.getByText('six months').waitFor()
  const policy = page.getByRole('link', { name: words('intro.policy', { organization }) })
  await until(async () => assert.equal(await policy.getAttribute('href'), privacyUrl))
  await page.getByText(words('intro.automatic')).waitFor()
  await page.getByText(words('intro.gate', { organization, stage: 1, next: 2 })).waitFor()

  const box = page.getByRole('checkbox', { name: words('intro.acknowledge') })
  await until(async () => assert.equal(await box.isChecked(), false))
  const starts = requestsTo(page, '/v1/candidate/session/start')
  // The button explains itself, although it is disabled.
  await candidate.startButton().click({ force: true })
  await page.getByText(words('intro.acknowledge.missing')).waitFor()
  await until(async () => assert.equal(await box.evaluate((element) => element === document.activeElement), true))
  assert.equal(starts.length, 0)
  await checkAxe(page, 'intro without the acknowledgement')

  await candidate.acknowledge()
  await until(async () => assert.equal(await page.getByText(words('intro.acknowledge.missing')).count(), 0))
  await candidate.start()
  const taking = await ok(invite.candidate.GET('/v1/candidate/session'))
  assert.ok(taking.acknowledgedAt)
})

test('4: An acknowledgement that becomes required while the page is open is asked for', async (t) => {
  const invite = await invited(gated())
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.startButton().waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  await invite.organization.settings({ acknowledgementRequired: true, privacyUrl })
  await candidate.startButton().click()
  await candidate.acknowledge()
  await candidate.start()
})

test('4: The candidate reads how long the data are kept, also without a notice', async (t) => {
  const invite = await invited(gated())
  const keep = (months: number | null) => ok(invite.organization.api.PUT('/v1/retention', { body: { months } }))
  await keep(6)
  const { page } = await open(t, invite.link)
  await page.getByRole('heading', { name: words('intro.privacy') }).waitFor()
  await page.getByText(words('intro.kept', { count: 6 })).waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0, 'nothing needs an acknowledgement')
  await keep(1)
  await page.reload()
  await page.getByText(words('intro.kept', { count: 1 })).waitFor()
  await keep(null)
  await page.reload()
  await new Candidate(page).startButton().waitFor()
  await page.getByText(words('intro.activity')).waitFor()
  assert.equal(await page.getByText(/erased/).count(), 0)
})
