// Self-registration: from the link to the candidate page, with a mail server, and from the dashboard.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { ok, organization } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { checkAxeInAllColors } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { signedIn, User } from './support/dashboard.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { checkPublicPage } from './support/public_page.ts'
import { startServer } from './support/server.ts'
import { startMailServer } from './support/smtp.ts'

after(disconnect)

test('registration is opened in the dashboard, and a person becomes a candidate', async (t) => {
  const mail = await startMailServer()
  const server = await startServer({ env: mail.env })
  t.after(async () => {
    await server.stop()
    await mail.stop()
  })
  const owner = await organization({}, server.url)
  const id = await owner.publish(eachType())

  // The dashboard opens registration.
  const dashboard = await signedIn(owner, `/invite?assessment=${id}&link=1`)
  const user = new User((await open(t, dashboard.link, dashboard.settings)).page)
  const form = user.page.locator('main form')
  await form.getByLabel(user.text('invite.registration.limit')).fill('0')
  await user.button('invite.registration.start').click()
  await form.getByText(user.text('invite.registration.range', { most: '1,000,000' })).waitFor()
  await form.getByLabel(user.text('invite.registration.limit')).fill('2')
  await form.getByLabel(user.text('invite.registration.introduction')).fill('Two cooks for the harbour')
  await user.button('invite.registration.start').click()
  const link = await user.page.getByRole('link', { name: '/registration?token=' }).innerText()
  await user.page.reload() // without the notice, which fades
  await user.button('invite.registration.close').waitFor()
  await checkAxeInAllColors(user.page, 'registration in the dashboard')

  // If the browser does not let the page copy the link, the link is selected.
  const copying = (isPermitted: boolean) =>
    user.page.evaluate((permits) => {
      const writeText = () => (permits ? Promise.resolve() : Promise.reject(new Error('denied')))
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
    }, isPermitted)
  await copying(false)
  await user.button('invite.registration.copy').click()
  await user.page.getByText(user.text('invite.registration.copyFailed')).waitFor()
  assert.equal(await user.page.evaluate(() => String(getSelection())), link)
  await copying(true)
  await user.button('invite.registration.copy').click()
  await user.button('copy.done').waitFor()

  // A person registers.
  const { page } = await open(t, link, { allow: [/400/] })
  await page.getByText('Two cooks for the harbour').waitFor()
  await page.getByText('Enter your name and your email address.').waitFor()
  await checkPublicPage(page, 'the form')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Enter one email address').waitFor()
  const name = page.getByLabel('Name', { exact: true })
  assert.equal(await name.evaluate((field) => field === document.activeElement), true)
  assert.equal(await name.getAttribute('aria-invalid'), 'true')
  await checkPublicPage(page, 'the form with faults')
  const email = `${randomUUID()}@candidate.example`
  await name.fill('Mei Lindqvist')
  await page.getByLabel('Email address').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await checkPublicPage(page, 'the email was sent')

  // The link in the email creates nothing. The button does.
  await page.goto((await mail.received(email)).link('/registration/confirm?token='))
  await page.getByText(email).waitFor()
  await checkPublicPage(page, 'the confirmation')
  assert.equal((await ok(owner.api.GET('/v1/candidate-sessions'))).length, 0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Confirm and continue' }).click()
  await page.waitForURL('**/take**')
  const candidate = new Candidate(page)
  await candidate.start()
  const [session] = await ok(owner.api.GET('/v1/candidate-sessions'))
  assert.deepEqual([session!.candidateEmail, session!.status], [email, 'IN_PROGRESS'])

  // The dashboard counts it, replaces the link, and closes registration.
  await user.page.reload()
  await user.page.getByText(user.text('invite.registration.usedOf', { used: '1', limit: '2' })).waitFor()
  await user.button('invite.registration.renew').click()
  await user.page.getByRole('dialog').getByRole('button', { name: user.text('invite.registration.renew') }).click()
  await user.page.getByRole('link', { name: link }).waitFor({ state: 'detached' })
  const renewed = await user.page.getByRole('link', { name: '/registration?token=' }).innerText()
  const visitor = await open(t, link, { allow: [/404/] })
  await visitor.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await checkPublicPage(visitor.page, 'a link that does not work')
  await user.button('invite.registration.close').click()
  await user.page.getByRole('dialog').getByRole('button', { name: user.text('invite.registration.close') }).click()
  await user.button('invite.registration.start').waitFor()
  await visitor.page.goto(renewed)
  await visitor.page.getByRole('heading', { name: 'Registration has ended' }).waitFor()
  await visitor.page.goto(`${renewed}&lang=ar`)
  await checkPublicPage(visitor.page, 'registration has ended, in Arabic')
  assert.equal(await visitor.page.locator('html').getAttribute('dir'), 'rtl')
})
