// Second factors: added in the profile, used at the sign-in, proved again, and required by the organization.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard, User, type Person } from './support/dashboard.ts'
import { answer, requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { addApp, addAuthenticator, totp } from './support/second_factors.ts'
import { startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

/** The form for the password, filled in and sent. */
async function typePassword(user: User, { email, password }: Person): Promise<void> {
  await user.field('signIn.email').fill(email)
  await user.field('signIn.password').fill(password)
  await user.button('signIn.submit').click()
}

async function outside(t: TestContext, baseUrl: string): Promise<User> {
  const { page } = await open(t, `${baseUrl}/app/sign-in`)
  return new User(page)
}

async function typeCode(user: User, code: string, label = 'secondFactor.code'): Promise<void> {
  assert.equal(await user.field(label).getAttribute('autocorrect'), 'off')
  await user.field(label).fill(code)
  await user.button('secondFactor.confirm').click()
}

async function keepCodes(page: Page, user: User): Promise<string[]> {
  const done = user.button('secondFactor.codes.done')
  await done.waitFor()
  const codes = await page.locator('.second-factor-codes code').allInnerTexts()
  await done.click({ force: true })
  await user.read('secondFactor.codes.first')
  await page.getByLabel(user.text('secondFactor.codes.saved')).check()
  await done.click()
  return codes
}

async function signOut(user: User): Promise<void> {
  await user.page.locator('.account summary').click()
  await user.button('nav.signOut').click()
  await user.see('signIn.title')
}

describe('An authenticator app', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const) test(`is added and asked for: ${database}`, async (t) => {
    const server = await startServer({ database })
    t.after(server.stop)
    const made = await organization({}, server.url)
    const user = await dashboard(t, made, '/profile')
    await user.button('secondFactor.add.TOTP').click()
    const dialog = user.dialog('secondFactor.add.TOTP')
    await dialog.getByLabel(user.text('secondFactor.password')).fill('not the password')
    await user.button('secondFactor.next').click()
    await user.read('secondFactor.password.wrong')
    await dialog.getByLabel(user.text('secondFactor.password')).fill(made.owner.password)
    await user.button('secondFactor.next').click()
    await user.page.locator('svg.second-factor-qr').waitFor()
    const secret = await user.page.locator('.second-factor-key code').innerText()
    await typeCode(user, '000000')
    await user.read('problem.invalid_code')
    await typeCode(user, totp(secret, -1))
    const codes = await keepCodes(user.page, user)
    assert.equal(codes.length, 10)
    await user.read('secondFactor.added')
    await user.read('secondFactor.codes.left', { count: 10 })

    await signOut(user)
    await typePassword(user, made.owner)
    await user.read('secondFactor.step')
    await typeCode(user, '000000')
    await user.read('problem.invalid_code')
    // A code can be pasted with a space.
    await typeCode(user, totp(secret).replace(/^.../, '$& '))
    await user.see('home.title')

    await signOut(user)
    await typePassword(user, made.owner)
    await user.button('secondFactor.use.RECOVERY_CODE').click()
    await typeCode(user, codes[0]!, 'secondFactor.recovery')
    await user.see('home.title')
    await user.page.goto(`${made.baseUrl}/app/profile`)
    await user.read('secondFactor.codes.left', { count: 9 })
  })

  test('is removed, and the password alone signs in again', async (t) => {
    const made = await organization()
    const { secret } = await addApp(made.api, made.owner.password)
    const user = await outside(t, made.baseUrl)
    await typePassword(user, made.owner)
    await typeCode(user, totp(secret))
    await user.see('home.title')
    await user.page.goto(`${made.baseUrl}/app/profile`)
    await user.page.getByRole('button', { name: user.text('secondFactor.remove.of', { name: 'Phone' }) }).click()
    await user.read('secondFactor.remove.last')
    await user.page.getByRole('dialog').getByRole('button', { name: user.pattern('secondFactor.remove') }).click()
    await user.read('secondFactor.none')
    await signOut(user)
    await typePassword(user, made.owner)
    await user.see('home.title')
  })
})

test('after too many wrong codes, the password is asked again with a sentence', async (t) => {
  const made = await organization()
  await addApp(made.api, made.owner.password)
  const user = await outside(t, made.baseUrl)
  await typePassword(user, made.owner)
  for (let i = 0; i < 6 && (await user.page.getByText(user.text('secondFactor.ended')).count()) === 0; i++) {
    const sent = user.page.waitForResponse(/\/app\/session$/)
    await typeCode(user, `00000${i}`)
    await sent
  }
  await user.read('secondFactor.ended')
  assert.equal(await user.field('signIn.password').inputValue(), '')
  assert.equal(await user.field('signIn.email').inputValue(), made.owner.email)
})

describe('A passkey', { concurrency: 2 }, () => {
  test('is added, signs in, and proves an export', async (t) => {
    // Browsers have no passkeys at an IP address.
    const server = await startServer({ host: 'localhost' })
    t.after(server.stop)
    const made = await organization({}, server.url)
    const user = await dashboard(t, made, '/profile')
    await addAuthenticator(user.page)
    await user.button('secondFactor.add.PASSKEY').click()
    await user.dialog('secondFactor.add.PASSKEY').getByLabel(user.text('secondFactor.password')).fill(made.owner.password)
    await user.button('secondFactor.next').click()
    await user.button('secondFactor.passkey.create').click()
    await keepCodes(user.page, user)
    await user.read('secondFactor.added')

    await signOut(user)
    await typePassword(user, made.owner)
    await user.button('secondFactor.passkey.use').click()
    await user.see('home.title')

    await user.page.goto(`${made.baseUrl}/app/audit-log`)
    await answer(user.page, '/v1/audit-log/export', { status: 403, code: 'reauthentication_required', times: 1 })
    const exports = requestsTo(user.page, '/v1/audit-log/export')
    const file = user.page.waitForEvent('download')
    await exportAuditLog(user)
    await user.dialog('secondFactor.again.title').waitFor()
    await user.button('secondFactor.passkey.use').click()
    await file
    await user.dialog('secondFactor.again.title').waitFor({ state: 'detached' })
    assert.equal(exports.length, 2)
  })
})

async function exportAuditLog(user: User): Promise<void> {
  await user.button('auditLog.export').click()
}

test('a request whose proof is cancelled says so, and is not repeated', async (t) => {
  const made = await organization()
  const { secret } = await addApp(made.api, made.owner.password)
  const user = await outside(t, made.baseUrl)
  await typePassword(user, made.owner)
  await typeCode(user, totp(secret))
  await user.see('home.title')
  await user.page.goto(`${made.baseUrl}/app/profile`)
  await answer(user.page, '/v1/me/recovery-codes', { status: 403, code: 'reauthentication_required', requestId: 'req_1' })
  const requests = requestsTo(user.page, '/v1/me/recovery-codes')
  await user.button('secondFactor.codes.renew').click()
  await user.dialog('secondFactor.codes.renew').getByRole('button', { name: user.pattern('secondFactor.codes.renew') }).click()
  await user.dialog('secondFactor.again.title').waitFor()
  await user.page.keyboard.press('Escape')
  await user.read('problem.reauthentication_required')
  assert.equal(requests.length, 1)
})

test('an organization requires it: a member adds one first, and the list says who has none', async (t) => {
  const made = await organization()
  const member = await colleague(made, 'MEMBER', { name: 'Jonas Weber' })
  const jonas = await dashboard(t, made, '/candidates', { person: member })
  await jonas.see('candidates.title')

  const owner = await dashboard(t, made, '/settings/sign-in')
  const section = owner.page.locator('#secondFactor')
  await section.getByLabel(owner.text('companySignIn.secondFactor.require')).check()
  await section.getByText(owner.text('companySignIn.secondFactor.own')).first().waitFor()
  await addApp(made.api, made.owner.password)
  await ok(made.api.PATCH('/v1/organization', { body: { secondFactorRequired: true } }))

  // The open tab learns it from its next request.
  await jonas.link('nav.assessments').first().click()
  await jonas.see('secondFactor.required.title')
  assert.equal(await jonas.page.getByRole('navigation').count(), 0)
  await jonas.page.reload()
  await jonas.see('secondFactor.required.title')
  await jonas.button('secondFactor.add.TOTP').click()
  await jonas.field('secondFactor.password').fill(member.password)
  await jonas.button('secondFactor.next').click()
  const secret = await jonas.page.locator('.second-factor-key code').innerText()
  await typeCode(jonas, totp(secret))
  await keepCodes(jonas.page, jonas)
  await jonas.page.getByRole('navigation').first().waitFor()

  const members = await ok(made.api.GET('/v1/members'))
  await until(async () => assert.ok(members.every(({ hasSecondFactor }) => hasSecondFactor)))
})

test('the list of members says who has no second factor', async (t) => {
  const made = await organization()
  await colleague(made, 'ADMIN', { name: 'Mei Lindqvist' })
  const user = await dashboard(t, made, '/members')
  await user.row('Mei Lindqvist').waitFor()
  assert.equal(await user.page.getByText(user.text('members.noSecondFactor')).count(), 0)
  await answer(user.page, '/v1/members', {
    status: 200,
    requestId: 'req_1',
    data: (await ok(made.api.GET('/v1/members'))).map((member) => ({ ...member, hasSecondFactor: member.role === 'OWNER' })),
  })
  await user.page.reload()
  await user.row('Mei Lindqvist').getByText(user.text('members.noSecondFactor')).waitFor()
  assert.equal(await user.row('Samin Okafor').getByText(user.text('members.noSecondFactor')).count(), 0)
})

