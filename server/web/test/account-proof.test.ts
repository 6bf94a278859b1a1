// The story of a squatted address by clicking: a stranger registers it, its owner proves it, and what the stranger has
// made ends. Requests with a header of a proxy come from elsewhere, so the service asks for a confirmation.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test, type TestContext } from 'node:test'
import createClient from 'openapi-fetch'
import type { paths } from '../src/shared/openapi.gen.ts'
import { ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { startSession, User } from './support/dashboard.ts'
import { goodPassword, inviteMember, Member, signIn } from './support/member.ts'
import { open } from './support/page.ts'
import { startServer } from './support/server.ts'
import { startMailServer } from './support/smtp.ts'

after(disconnect)

const newPassword = 'nine lanterns along the pier'

async function start(t: TestContext, database: 'sqlite' | 'postgres' = 'sqlite') {
  const mail = await startMailServer()
  const server = await startServer({ database, env: mail.env })
  t.after(async () => {
    await server.stop()
    await mail.stop()
  })
  const employer = await organization({}, server.url)
  const anybody = createClient<paths>({ baseUrl: server.url })
  /** Registers an address from elsewhere, and makes an API key. */
  const squat = async (email: string) => {
    const body = { organizationName: 'Sandcastle', name: 'Mallory', email, password: goodPassword }
    const made = await ok(anybody.POST('/v1/auth/register', { body, headers: { Via: '1.1 proxy' } }))
    const api = createClient<paths>({
      baseUrl: server.url,
      headers: { Authorization: `Bearer ${made.accessToken}` },
    })
    const { key } = await ok(
      api.POST('/v1/api-keys', { body: { name: 'Nightly export', scopes: ['candidates:read', 'assessments:read'] } }),
    )
    const withKey = async () => {
      const answer = await anybody.GET('/v1/public/assessments', { headers: { 'X-API-Key': key } })
      return answer.response.status
    }
    const withToken = async () => (await api.GET('/v1/me')).response.status
    return { email, api, withKey, withToken }
  }
  return { mail, server, employer, squat }
}

/** Opens a page of the dashboard as a person. */
async function dashboardOf(t: TestContext, url: string, email: string, path = '', password = goodPassword) {
  const { page } = await open(t, `${url}/app${path}`, {
    before: async (_, context) => startSession(context, url, { name: '', email, password }),
  })
  return new User(page)
}

for (const database of ['sqlite', 'postgres'] as const) {
  test(`on ${database}, the owner of a squatted address accepts an invitation, and the stranger is out`, async (t) => {
    const { mail, server, employer, squat } = await start(t, database)
    const stranger = await squat(`${randomUUID()}@corp.example`)
    assert.equal(await stranger.withKey(), 200)
    await mail.received(stranger.email) // the confirmation
    await inviteMember(employer, { email: stranger.email })
    const invitation = await mail.received(stranger.email, 1)
    const victim = new Member((await open(t, invitation.link('/accept-invitation#'))).page)
    await victim.choose(newPassword, 'invitation.join')
    await victim.seeDashboard()
    assert.equal(await signIn(stranger.email, goodPassword, server.url), 401)
    assert.equal(await signIn(stranger.email, newPassword, server.url), 200)
    assert.deepEqual([await stranger.withKey(), await stranger.withToken()], [401, 401])
  })
}

test('a reset of an unproved account says what it has ended, also in German', async (t) => {
  const { mail, server, squat } = await start(t)
  for (const locale of ['en', 'de']) {
    const stranger = await squat(`${randomUUID()}@corp.example`)
    const asking = new Member((await open(t, `${server.url}/reset-password`)).page)
    await mail.received(stranger.email) // the confirmation
    await asking.forget(stranger.email)
    await asking.see('sent.title')
    const link = (await mail.received(stranger.email, 1)).link('/reset-password#')
    const victim = new Member((await open(t, link, { locale })).page, locale)
    await victim.choose(newPassword, 'reset.change')
    await victim.see('changed.title')
    await victim.read('review.ended')
    await victim.page.getByText(locale === 'en' ? '1 API key' : '1 API-Schlüssel').waitFor()
    await victim.read('review.nothing')
    assert.deepEqual([await stranger.withKey(), await stranger.withToken()], [401, 401])
  }
})

test('a reset of a proved account lists what was made before, and ends what the person chooses', async (t) => {
  const { mail, server, employer } = await start(t)
  const { api, owner } = employer
  const { key } = await ok(api.POST('/v1/api-keys', { body: { name: 'Nightly export', scopes: ['candidates:read'] } }))
  await ok(api.POST('/v1/webhooks', { body: { url: 'https://sink.example/assay', events: ['candidate.completed'] } }))
  const { email } = await inviteMember(employer)
  const asking = new Member((await open(t, `${server.url}/reset-password`)).page)
  await asking.forget(owner.email)
  const link = (await mail.received(owner.email)).link('/reset-password#')
  const person = new Member((await open(t, link)).page)
  const { page } = person
  await person.choose(newPassword, 'reset.change')
  await person.see('changed.title')
  await person.read('review.text')
  const boxes = page.getByRole('checkbox')
  assert.equal(await boxes.count(), 3)
  for (const box of await boxes.all()) assert.equal(await box.isChecked(), false)
  await page.getByText(`by ${owner.name}`).first().waitFor()

  await page.reload() // the page still knows the person
  await page.getByRole('checkbox', { name: 'Nightly export' }).check()
  await person.button('review.end').click()
  await page.getByRole('status').filter({ hasText: '1 entry' }).waitFor()
  assert.equal(await page.getByRole('checkbox', { name: 'Nightly export' }).count(), 0)
  const anybody = createClient<paths>({ baseUrl: server.url })
  const used = await anybody.GET('/v1/public/candidate-sessions', { headers: { 'X-API-Key': key } })
  assert.equal(used.response.status, 401)

  await person.button('review.all').click()
  await person.button('review.end').click()
  await page.getByRole('status').filter({ hasText: '2 entries' }).waitFor()
  await page.getByRole('link', { name: person.text('joined.open') }).click()
  await page.getByRole('navigation').first().waitFor()
  await page.goto(`${server.url}/app/members`)
  await page.getByText(owner.email).first().waitFor()
  assert.equal(await page.getByText(email).count(), 0)
})

test('an address is confirmed by the person who is signed in', async (t) => {
  const { mail, server, employer, squat } = await start(t)
  const person = await squat(`${randomUUID()}@corp.example`)
  const link = (await mail.received(person.email)).link('/confirm-email#')

  // Somebody else, and a browser without a sign-in, confirm nothing.
  const stranger = await dashboardOf(t, server.url, employer.owner.email, '', employer.owner.password)
  await stranger.page.goto(link)
  const other = new Member(stranger.page)
  await other.button('confirm.send').click()
  await other.see('confirmForeign.title')
  const out = new Member((await open(t, link)).page)
  await out.button('confirm.send').click()
  await out.read('confirm.out')

  const user = await dashboardOf(t, server.url, person.email)
  await user.read('confirmation.send')
  await user.button('confirmation.send').click()
  await user.read('confirmation.sent')
  const again = (await mail.received(person.email, 1)).link('/confirm-email#')
  await user.page.goto(again)
  const confirming = new Member(user.page)
  await confirming.button('confirm.send').click()
  await confirming.see('confirmed.title')
  await user.page.goto(`${server.url}/app/members`)
  await user.button('members.invite').first().waitFor()
  assert.equal(await user.button('confirmation.send').count(), 0)
})

test('the only person of an organization deletes it', async (t) => {
  const { server, squat } = await start(t)
  const person = await squat(`${randomUUID()}@corp.example`)
  const user = await dashboardOf(t, server.url, person.email, '/settings')
  await user.button('deletion.open').click()
  const dialog = user.dialog('deletion.now.title')
  await dialog.getByRole('button', { name: user.text('deletion.now.confirm') }).click()
  await dialog.getByText(user.text('deletion.wrong')).waitFor()
  await dialog.getByLabel(user.text('deletion.label')).fill('Sandcastle')
  await dialog.getByRole('button', { name: user.text('deletion.now.confirm') }).click()
  await user.page.waitForURL(/\/app\/sign-in/)
  assert.equal(await signIn(person.email, goodPassword, server.url), 401)
  assert.deepEqual([await person.withKey(), await person.withToken()], [401, 401])
})
