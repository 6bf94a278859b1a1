// From an email to its page: with a mail server, the worker that sends email, and both databases.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import createClient from 'openapi-fetch'
import type { paths } from '../src/shared/openapi.gen.ts'
import { ok, organization } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { goodPassword, inviteMember, Member, signIn } from './support/member.ts'
import { open } from './support/page.ts'
import { startServer } from './support/server.ts'
import { startMailServer } from './support/smtp.ts'

after(disconnect)

for (const database of ['sqlite', 'postgres'] as const) {
  test(`on ${database}, invites arrive, and a forgotten password is replaced`, async (t) => {
    const mail = await startMailServer()
    const server = await startServer({ database, env: mail.env })
    t.after(async () => {
      await server.stop()
      await mail.stop()
    })
    const owner = await organization({}, server.url)
    const secrets: string[] = []
    const referers: string[] = []
    /** Opens the link of an email, as a webmail does in a new tab. */
    const follow = async (link: string) => {
      assert.ok(link.startsWith(`${server.url}/`), link)
      secrets.push(new URL(link).hash.slice(1))
      const visit = await open(t, link, {
        before: async (page) => page.on('request', (request) => referers.push(request.headers().referer ?? '')),
      })
      return visit.page
    }

    // A candidate is invited by email, and starts.
    const candidateEmail = `${randomUUID()}@candidate.example`
    const assessmentId = await owner.publish(eachType())
    const body = { assessmentId, candidateName: 'Zoë Ångström', candidateEmail, sendEmail: true }
    const session = await ok(owner.api.POST('/v1/candidate-sessions', { body }))
    const invite = await mail.received(candidateEmail)
    assert.deepEqual(invite.to, [candidateEmail])
    assert.match(invite.subject, /Harbour Kitchens|Line cook/)
    const candidate = new Candidate(await follow(invite.link('/take#')))
    await candidate.start()
    assert.equal((await owner.session(session.id)).status, 'IN_PROGRESS')

    // A member is invited by email, and joins.
    const { email } = await inviteMember(owner)
    const joining = new Member(await follow((await mail.received(email)).link('/accept-invitation#')))
    await joining.choose(goodPassword, 'invitation.join')
    await joining.seeDashboard()

    // The member forgets the password. An address without an account gets the same page, and no email.
    const api = createClient<paths>({ baseUrl: server.url })
    const before = await ok(api.POST('/v1/auth/login', { body: { email, password: goodPassword } }))
    const member = new Member((await open(t, `${server.url}/reset-password`)).page)
    const texts: string[] = []
    for (const address of [`${randomUUID()}@harbour-kitchens.example`, email]) {
      await member.forget(address)
      await member.see('sent.title')
      texts.push((await member.page.getByRole('main').innerText()).replace(address, 'ADDRESS'))
      await member.button('sent.again').click()
    }
    assert.equal(texts[0], texts[1])
    const link = (await mail.received(email, 1)).link('/reset-password#')
    const resetting = new Member(await follow(link))
    const newPassword = 'nine lanterns along the pier'
    await resetting.choose(newPassword, 'reset.change')
    await resetting.see('changed.title')

    assert.equal(await signIn(email, goodPassword, server.url), 401)
    assert.equal(await signIn(email, newPassword, server.url), 200)
    const me = createClient<paths>({ baseUrl: server.url, headers: { Authorization: `Bearer ${before.accessToken}` } })
    assert.equal((await me.GET('/v1/me')).response.status, 401)
    const { refreshToken } = before
    assert.equal((await api.POST('/v1/auth/refresh', { body: { refreshToken } })).response.status, 401)

    // The link works once.
    await resetting.page.goto(link)
    await resetting.choose('another password entirely', 'reset.change')
    await resetting.see('resetUsed.title')
    await resetting.button('reset.newLink').click()
    await resetting.see('forgot.title')

    const log = readFileSync(server.log, 'utf8')
    assert.ok(log.includes('/v1/auth/forgot-password'), 'the server logs requests')
    for (const secret of [...secrets, goodPassword, newPassword]) {
      assert.ok(secret.length > 20 && !log.includes(secret), 'a secret is in the log')
      assert.ok(!referers.some((referer) => referer.includes(secret)), 'a secret is in a Referer')
    }
  })
}

test('without a mail server, the page says who can help', async (t) => {
  const server = await startServer()
  t.after(() => server.stop())
  const member = new Member((await open(t, `${server.url}/reset-password`)).page)
  await member.forget('jonas@harbour-kitchens.example')
  await member.see('noEmail.title')
})
