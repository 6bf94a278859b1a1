// What the candidate learns before the start.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited, ok } from './support/api.ts'
import { assessment, eachType, gated, stage } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { dateIn, inFuture } from './support/dates.ts'
import { Candidate } from './support/journey.ts'
import { awaitAnnouncement } from './support/live.ts'
import { open } from './support/page.ts'
import { t as words } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

const day = 24 * 3600_000

test('2: The intro says what to expect, with times that include extra time', async (t) => {
  const expiresAt = inFuture(13 * day + 3600_000)
  const invite = await invited(
    assessment(
      [
        stage({ timeLimitMinutes: 10, gate: { required: true, minScore: 50 } }),
        stage({ title: 'Allergens', timeLimitMinutes: 30 }),
      ],
      { instructions: 'You need **paper and a pen**.' },
    ),
    {
      settings: { supportEmail: 'jobs@harbour-kitchens.example', timeZone: 'Europe/Berlin' },
      invite: { extraTimePercent: 20, expiresAt },
    },
  )
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  const organization = invite.organization.name
  const see = (text: string) => page.getByText(text, { exact: true }).waitFor()

  await candidate.button('intro.start.minutes', { count: 12 }).waitFor()
  await see(words('intro.invites', { organization, name: invite.candidateName }))
  await until(async () => assert.equal(await candidate.headingText(), 'Line cook: food safety'))
  await until(async () => assert.equal(await page.title(), 'Line cook: food safety – Harbour Kitchens'))
  await page.getByText('paper and a pen').waitFor()

  const rows = page.getByRole('main').getByRole('listitem')
  const row = async (title: string) => (await rows.filter({ hasText: title }).first().innerText()).replace(/\s+/g, ' ')
  await until(async () => assert.match(await row('Temperatures'), /4 questions 12 minutes instead of 10$/))
  await until(async () => assert.match(await row('Allergens'), /4 questions 36 minutes instead of 30$/))
  await see(words('intro.total', { count: 2 }))
  await see(words('questions', { count: 8 }))
  await see(words('minutes.extra', { count: 48, usual: 40 }))

  await see(words('intro.clock.stages'))
  await see(words('intro.automatic'))
  await see(words('intro.gate', { organization, stage: 1, next: 2 }))
  await see(words('intro.last', { date: dateIn('Europe/Berlin', expiresAt), words: 'in 13 days' }))
  const contact = page.getByRole('link', { name: 'jobs@harbour-kitchens.example' })
  await until(async () => assert.equal(await contact.getAttribute('href'), 'mailto:jobs@harbour-kitchens.example'))
  await checkAxe(page, 'intro with everything')
})

test('2: Without limits, gates, and an address, the intro says so', async (t) => {
  const untimed = await invited(eachType())
  const { page } = await open(t, untimed.link)
  const candidate = new Candidate(page)
  await candidate.button('intro.start').waitFor()
  await page.getByText(words('intro.clock.none')).waitFor()
  await page.getByText(words('intro.contact', { contact: untimed.organization.name })).waitFor()
  assert.equal(await page.getByText(words('intro.total', { count: 1 }), { exact: true }).count(), 0)

  const closesAt = inFuture(3 * 3600_000 + 30_000)
  const whole = await invited(
    assessment([stage(), stage({ title: 'Allergens' })], { timeLimitMinutes: 45, closesAt }),
    {
      invite: { extraTimePercent: 25 },
    },
  )
  const visit = await open(t, whole.link)
  const time = '56 minutes 15 seconds'
  await new Candidate(visit.page).button('intro.start.exact', { time }).waitFor()
  const stated = words('minutes.extra.exact', { time, usual: '45 minutes' })
  await visit.page.getByText(words('intro.clock.session', { time: stated })).waitFor()
  await visit.page.getByText(words('intro.noGate')).waitFor()
  // The browser's zone, because the organization has none. The last moment is the earlier of two.
  const date = dateIn('Europe/London', closesAt)
  await visit.page.getByText(words('intro.last', { date, words: 'in 3 hours' })).waitFor()
})

test('2: The button becomes available when the assessment opens', async (t) => {
  const opensAt = inFuture(8000)
  const invite = await invited(gated({ opensAt }))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await page.getByText(candidate.pattern('intro.opens', { date: dateIn('Europe/London', opensAt) })).waitFor()
  await until(async () => assert.equal(await candidate.startButton().getAttribute('aria-disabled'), 'true'))
  await checkAxe(page, 'intro before it opens')
  await awaitAnnouncement(page, words('intro.open'))
  await until(async () => assert.equal(await page.getByText(candidate.pattern('intro.opens')).count(), 0))
  await candidate.start()
})

test('2: A preview can start before the assessment opens', async (t) => {
  const { organization, assessmentId } = await invited(gated({ opensAt: inFuture(day) }))
  const path = { id: assessmentId }
  const preview = await ok(organization.api.POST('/v1/assessments/{id}/preview', { params: { path } }))
  const { page } = await open(t, preview.inviteUrl!)
  await new Candidate(page).start()
})

test('2: A closed assessment says until when it could be started, and whom to ask', async (t) => {
  const invite = await invited(gated())
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.startButton().waitFor()
  const closesAt = inFuture(1500)
  await ok(
    invite.organization.api.PATCH('/v1/assessments/{id}', {
      params: { path: { id: invite.assessmentId } },
      body: { closesAt },
    }),
  )
  // The page asks again when the candidate returns to it.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await candidate.see('closed.title')
  await page.getByText(candidate.pattern('closed.text', { date: dateIn('Europe/London', closesAt) })).waitFor()
  await page.getByText(candidate.pattern('closed.ask', { contact: invite.organization.name })).waitFor()
  await checkAxe(page, 'closed')
})

test('2: A name from a list of people is turned around', async (t) => {
  for (const [candidateName, name] of [
    ['Lang, Ben', 'Ben Lang'],
    ['von der Heide, Ina-Mia José', 'Ina-Mia José von der Heide'],
    ['Ada Byron, PhD', 'Ada Byron, PhD'],
  ] as const) {
    const invite = await invited(assessment([stage()]), { invite: { candidateName } })
    const { page } = await open(t, invite.link)
    await page.getByText(words('intro.invites', { organization: invite.organization.name, name }), { exact: true }).waitFor()
  }
})
