// A team rejects 20 people politely: an email whose words it edits, a preview, and a time in which it can be cancelled.
import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import type { Locator } from 'playwright-core'
import { ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { kitchen } from './support/results.ts'
import { startServer } from './support/server.ts'
import { startMailServer } from './support/smtp.ts'
import { until } from './support/until.ts'

after(disconnect)

async function made(t: TestContext, database: 'sqlite' | 'postgres', count: number) {
  const mail = await startMailServer()
  const server = await startServer({ database, env: mail.env })
  t.after(async () => {
    await server.stop()
    await mail.stop()
  })
  const owner = await organization({}, server.url)
  const assessmentId = await owner.publish(kitchen)
  const emails = Array.from({ length: count }, (_, i) => `candidate-${i}@candidate.example`)
  const ids: string[] = []
  for (const [i, candidateEmail] of emails.entries()) {
    ids.push((await owner.invite(assessmentId, { candidateName: `Candidate ${i}`, candidateEmail })).sessionId)
  }
  return { mail, owner, emails, ids }
}

const latest = async ({ api }: Organization, id: string) => {
  const { changes } = await ok(api.GET('/v1/candidate-sessions/{id}/review', { params: { path: { id } } }))
  return changes[0]
}

/** Opens the question for all candidates of the list, and chooses a rejection with an email. */
async function ask(user: User, click: (locator: Locator) => Promise<void>): Promise<Locator> {
  await click(user.page.getByRole('checkbox', { name: user.text('candidates.selectAll') }))
  await click(user.button('candidates.setState'))
  const dialog = user.page.getByRole('dialog')
  await dialog.getByLabel(user.text('candidates.state'), { exact: true }).selectOption('rejected')
  await click(dialog.getByLabel(user.text('candidates.email'), { exact: true }))
  return dialog
}

for (const database of ['sqlite', 'postgres'] as const) {
  test(`on ${database}, reject 20 people politely`, async (t) => {
    const { owner, ids } = await made(t, database, 20)
    const user = await dashboard(t, owner, '/candidates')
    let clicks = 1 // the state in its list
    const click = async (locator: Locator) => {
      clicks++
      await locator.click()
    }
    const dialog = await ask(user, click)
    const field = user.field('candidates.email.text')
    await until(async () => assert.match(await field.inputValue(), /^Dear \{\{candidateName\}\},\n\nthank you/))
    await click(dialog.getByRole('button', { name: user.text('candidates.email.preview') }))
    await dialog.getByText('Your application to Harbour Kitchens', { exact: true }).waitFor()
    await dialog.getByText(/Dear Candidate \d+,/).waitFor()
    await click(dialog.getByRole('button', { name: user.text('candidates.setState') }))
    await dialog.getByText(/^20 emails will be sent on /).waitFor()
    await click(dialog.getByRole('button', { name: user.text('candidates.bulk.close') }).last())
    t.diagnostic(`20 people were rejected politely with ${clicks} clicks`)
    assert.ok(clicks <= 7, `it took ${clicks} clicks`)

    const emails = await Promise.all(ids.map(async (id) => (await latest(owner, id))?.email))
    for (const email of emails) {
      assert.equal(email?.status, 'QUEUED')
      const away = (new Date(email.sendAt).getTime() - Date.now()) / 60_000
      assert.ok(away > 28 && away < 31, `the email is sent in ${away} minutes`)
    }

    // The page of a candidate cancels the email to this candidate only.
    const waiting = user.page.locator('.candidates-planned').getByText(/^20 emails will be sent on /)
    await waiting.waitFor()
    await user.page.reload()
    await waiting.waitFor()
    await user.page.getByRole('link', { name: 'Candidate 7', exact: true }).click()
    await user.page.getByText(/^The email about the decision is planned for/).waitFor()
    await user.button('candidate.email.cancel').click()
    await user.page.getByText(user.text('candidate.decisionEmail.CANCELLED')).waitFor()
    await user.page.getByText(user.text('candidate.timeline.EMAIL_CANCELLED')).waitFor()
    assert.equal((await latest(owner, ids[7]!))?.email?.status, 'CANCELLED')
    assert.equal((await latest(owner, ids[8]!))?.email?.status, 'QUEUED')
  })
}

test('the words are edited, and sent at once', async (t) => {
  const { mail, owner, emails, ids } = await made(t, 'sqlite', 2)
  const user = await dashboard(t, owner, '/candidates')
  const dialog = await ask(user, (locator) => locator.click())
  const submit = dialog.getByRole('button', { name: user.text('candidates.setState') })
  await user.field('candidates.email.text').fill('Hello {{name}}')
  await submit.click()
  await dialog.getByText(user.text('candidates.email.unknown')).waitFor()
  assert.equal(await latest(owner, ids[0]!), undefined, 'nothing was sent with an unknown placeholder')

  await user.field('candidates.email.text').fill('Hello ')
  await dialog.getByRole('button', { name: user.text('candidates.email.candidateName'), exact: true }).click()
  assert.equal(await user.field('candidates.email.text').inputValue(), 'Hello {{candidateName}}')
  await user.page.keyboard.type(', <b>thank you</b>')
  await user.field('candidates.email.subject').fill('About ')
  await dialog.getByRole('button', { name: user.text('candidates.email.assessmentTitle'), exact: true }).click()
  await user.field('candidates.email.when').selectOption('0')
  await submit.click()
  for (const [i, email] of emails.entries()) {
    const received = await mail.received(email)
    assert.match(received.subject, /^About /)
    assert.ok(received.text.includes(`Hello Candidate ${i}, <b>thank you</b>`), received.text)
  }
})

test('all emails of a change are cancelled with one click', async (t) => {
  const { owner, ids } = await made(t, 'sqlite', 3)
  const user = await dashboard(t, owner, '/candidates')
  const dialog = await ask(user, (locator) => locator.click())
  await user.field('candidates.email.when').selectOption('morning')
  await dialog.getByRole('button', { name: user.text('candidates.setState') }).click()
  await dialog.getByText(/^3 emails will be sent on /).waitFor()
  await dialog.getByRole('button', { name: user.text('candidates.email.cancel', { count: 20 }) }).click()
  await dialog.getByText('3 emails cancelled.').waitFor()
  for (const id of ids) {
    const change = await latest(owner, id)
    assert.deepEqual([change?.to.id, change?.email?.status], ['rejected', 'CANCELLED'])
  }
  await dialog.getByRole('button', { name: user.text('candidates.bulk.close') }).last().click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await user.page.locator('.candidates-planned').count(), 0, 'nothing is left to cancel')

  // The emails were cancelled, so they are sent when the person asks for them again.
  const again = await ask(user, async (locator) => {
    if ((await locator.getAttribute('type')) !== 'checkbox' || !(await locator.isChecked())) await locator.click()
  })
  await again.getByRole('button', { name: user.text('candidates.setState.send') }).click()
  await again.getByText(/^3 emails will be sent on /).waitFor()
  await again.getByRole('button', { name: user.text('candidates.bulk.close') }).last().click()
  await user.page.locator('.candidates-planned').getByRole('button').click()
  await user.page.getByText('3 emails cancelled.').waitFor()
  assert.equal((await latest(owner, ids[0]!))?.email?.status, 'CANCELLED')
})

test('people who have been told already get no second email, and the dialog says so', async (t) => {
  const { owner, ids, mail, emails } = await made(t, 'sqlite', 2)
  const user = await dashboard(t, owner, `/candidates/${ids[0]}`)
  await user.page.locator('#review-state').selectOption('rejected')
  await user.field('candidates.email').check()
  await user.button('candidate.review.send').waitFor()
  await user.field('candidates.email.when').selectOption('0')
  await user.button('candidate.review.send').click()
  assert.match((await mail.received(emails[0]!)).subject, /^Your application to Harbour Kitchens/)
  await user.page.goto(`${owner.baseUrl}/app/candidates`)
  const dialog = await ask(user, (locator) => locator.click())
  await user.field('candidates.email.when').selectOption('0')
  await dialog.getByRole('button', { name: user.text('candidates.setState.send') }).click()
  await dialog.getByText(user.text('candidates.email.without', { count: 1 })).waitFor()
  await dialog.getByText(user.text('candidates.email.sending', { count: 1 })).waitFor()
  await mail.received(emails[1]!)
})
