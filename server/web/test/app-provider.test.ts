// The sign-in with the provider of a company: a certified OpenID Connect provider, in a browser.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import createClient from 'openapi-fetch'
import type { paths } from '../src/shared/openapi.gen.ts'
import { ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, switchTo, User } from './support/dashboard.ts'
import { inviteMember } from './support/member.ts'
import { answer } from './support/network.ts'
import { open } from './support/page.ts'
import { startProvider, type Provider, type ProviderPerson } from './support/provider.ts'
import { startServer, type Server } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

const domain = 'harbour-kitchens.example'
const providerPassword = 'the password at the company'

function employee(name: string, email: string, more: Partial<ProviderPerson> = {}): ProviderPerson {
  return {
    ...{ ID: `subject-${name}`, Username: name, Password: providerPassword, FirstName: name, LastName: 'Lindqvist' },
    ...{ Email: email, EmailVerified: true, ...more },
  }
}

type Company = { server: Server; made: Organization; provider: Provider; member: Awaited<ReturnType<typeof colleague>> }

/** An organization with a verified domain and a provider, which is another site than the service. */
async function company(t: TestContext, database: 'sqlite' | 'postgres' = 'sqlite'): Promise<Company> {
  const server = await startServer({ database, host: 'localhost', env: { ASSAY_WEBHOOK_ALLOW_INSECURE: 'true' } })
  t.after(server.stop)
  const made = await organization({}, server.url)
  await server.operate('prove-email', made.owner.email)
  const member = await colleague(made, 'MEMBER')
  await server.operate('prove-email', member.email)
  const provider = await startProvider(server.url, [
    employee('owner', made.owner.email),
    employee('member', member.email),
    employee('new', `new@${domain}`, { Groups: ['other', 'hiring'] }),
    employee('unverified', `unverified@${domain}`, { EmailVerified: false }),
    employee('stranger', 'stranger@elsewhere.example'),
  ])
  t.after(provider.stop)
  await ok(made.api.POST('/v1/organization/domains', { body: { domain } }))
  assert.match(await server.operate('verify-domain', domain), /harbour-kitchens\.example is verified/)
  await set(made, provider, {})
  return { server, made, provider, member }
}

type Settings = { required?: boolean; createMembers?: boolean }

function set({ api }: Organization, { issuer, clientId, clientSecret }: Provider, settings: Settings) {
  const roles = [{ value: 'hiring', role: 'EDITOR' as const }]
  const body = { issuer, clientId, clientSecret, required: false, createMembers: false, roleClaim: 'groups', roles, ...settings }
  return ok(api.PUT('/v1/organization/sign-in-provider', { body }))
}

/** A browser at the sign-in page. The provider is another origin. */
async function outside(t: TestContext, { server, provider }: Company, path = '/sign-in'): Promise<User> {
  const { page } = await open(t, `${server.url}/app${path}`, { allow: [new RegExp(`^other origin: ${provider.issuer}/`)] })
  return new User(page)
}

/** Signs in at the form of the provider. */
async function atProvider({ page }: User, { issuer }: Provider, name: string): Promise<void> {
  await page.waitForURL((url) => url.href.startsWith(`${issuer}/login/`))
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password').fill(providerPassword)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Signs in with the button for the company. */
async function withCompany(user: User, { provider }: Company, name: string, email = `${name}@${domain}`): Promise<void> {
  await user.button('signIn.company').click()
  await user.field('company.email').fill(email)
  await user.button('company.submit').click()
  await atProvider(user, provider, name)
}

async function typePassword(user: User, { email, password }: { email: string; password: string }): Promise<void> {
  await user.field('signIn.email').fill(email)
  await user.field('signIn.password').fill(password)
  await user.button('signIn.submit').click()
}

describe('A company with its own sign-in', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const) test(`requires it: ${database}`, async (t) => {
    const c = await company(t, database)
    const { made, provider, member } = c

    // The owner tries the sign-in. The cookie is SameSite=Strict, and the browser comes from another site.
    const owner = await outside(t, c)
    await withCompany(owner, c, 'owner', made.owner.email)
    await owner.see('home.title')
    await owner.page.reload()
    await owner.see('home.title')
    await owner.page.goto(`${made.baseUrl}/app/settings/sign-in`)
    await owner.read('companySignIn.lastSucceeded')
    const { codes } = await ok(made.api.POST('/v1/organization/sign-in-recovery-codes'))
    await set(made, provider, { required: true })

    // The password of a member leads to the provider, and the screen that was asked for opens.
    const user = await outside(t, c, '/profile')
    await typePassword(user, member)
    await user.read('company.required')
    await user.button('company.submit').click()
    await atProvider(user, provider, 'member')
    await user.see('profile.title')
    // The provider of an organization must not be able to change the account.
    await user.read('profile.account.company')
    assert.equal(await user.page.locator('main form').count(), 0)
    assert.equal(new URL(user.page.url()).pathname, '/app/profile')

    // An unknown colleague joins with the role of the claim, which only the UserInfo endpoint has.
    const unknown = await outside(t, c)
    await withCompany(unknown, c, 'new')
    await unknown.read('company.error.not_a_member')
    await set(made, provider, { required: true, createMembers: true })
    await withCompany(unknown, c, 'new')
    await unknown.see('home.title')
    const { data: people } = (await made.api.GET('/v1/members')).data!
    assert.equal(people.find(({ email }) => email === `new@${domain}`)?.role, 'EDITOR')

    // The provider is unavailable. An owner enters with the password and a recovery code.
    await provider.stop()
    const late = await outside(t, c)
    await late.button('signIn.company').click()
    await late.field('company.email').fill(made.owner.email)
    await late.button('company.submit').click()
    // The service knows the addresses of the provider for ten minutes, so that the browser can be led to it.
    // waitForURL throws at the page of an error.
    await until(async () => assert.match(late.page.url(), /^chrome-error:|error=provider_unavailable/))
    await late.page.goto(`${made.baseUrl}/app/sign-in?error=provider_unavailable`)
    await late.read('company.error.provider_unavailable')
    await typePassword(late, made.owner)
    await late.button('secondFactor.owner.open').click()
    await late.field('signIn.password').fill(made.owner.password)
    await late.field('secondFactor.owner.code').fill(codes[0]!)
    await late.button('signIn.submit').click()
    await late.see('home.title')
  })

  test('is entered by an owner of several organizations, with a code and with the provider', async (t) => {
    const c = await company(t)
    const { made, provider, server } = c
    const second = await organization({ name: 'Quayside Foods' }, server.url)
    const { token } = await inviteMember(second, { email: made.owner.email, name: made.owner.name })
    const api = createClient<paths>({ baseUrl: server.url })
    await ok(api.POST('/v1/auth/accept-invitation', { body: { token, password: made.owner.password } }))
    const first = await outside(t, c)
    await withCompany(first, c, 'owner', made.owner.email)
    await first.see('home.title')
    const { codes } = await ok(made.api.POST('/v1/organization/sign-in-recovery-codes'))
    await set(made, provider, { required: true })

    // The password opens the other organization, and the switch continues with one of the two ways.
    const user = await outside(t, c)
    const name = () => user.page.locator('.org').innerText()
    const toFirst = async () => {
      await user.see('home.title')
      assert.match(await name(), /Quayside Foods/)
      await user.page.locator('.account summary').click()
      await user.button('nav.switch').click()
      await user.dialog('organizations.title').getByRole('button', { name: new RegExp(made.name) }).click()
      await user.dialog('organizations.own.title').waitFor()
    }
    await typePassword(user, made.owner)
    await toFirst()
    await user.button('organizations.own.code').click()
    await user.field('signIn.password').fill(made.owner.password)
    await user.field('secondFactor.owner.code').fill('00000-00000')
    await user.button('signIn.submit').click()
    await user.read('secondFactor.owner.wrong')
    await user.field('secondFactor.owner.code').fill(codes[0]!)
    const loaded = user.page.waitForEvent('load')
    await user.button('signIn.submit').click()
    await loaded
    await until(async () => assert.match(await name(), new RegExp(made.name)))

    // A tab that is still in the organization offers both ways for its switch back, too.
    const tab = new User(await user.page.context().newPage())
    await tab.page.goto(`${server.url}/app/members`)
    await tab.see('members.title')
    await switchTo(user, 'Quayside Foods')
    await tab.see('organizations.elsewhere.title')
    await tab.button('organizations.elsewhere.back').click()
    await tab.see('organizations.own.title')
    await tab.button('organizations.own.code').waitFor()
    assert.match((await tab.link('organizations.own.go').getAttribute('href'))!, /sign-in\/provider\/start/)
    await tab.button('organizations.own.back').click()
    await tab.see('organizations.elsewhere.title')
    await tab.page.close()

    await toFirst()
    await user.link('organizations.own.go').click()
    await atProvider(user, provider, 'owner')
    await until(async () => assert.match(await name(), new RegExp(made.name)))
  })

  test('asks again for the sign-in of the company when it has ended', async (t) => {
    const c = await company(t)
    const user = await outside(t, c, '/profile')
    await withCompany(user, c, 'member', c.member.email)
    await user.see('profile.title')
    await answer(user.page, '/v1/organization', { status: 401, code: 'token_expired', times: 1 })
    await answer(user.page, '/app/session', { status: 200, data: { accessToken: null }, method: 'PUT', times: 1, requestId: 'req_1' })
    await user.link('nav.settings').first().click()
    const dialog = user.dialog('signIn.again')
    await dialog.getByRole('button', { name: user.pattern('company.submit') }).click()
    await atProvider(user, c.provider, 'member')
    await user.field('settings.name').waitFor()
  })

  test('refuses what the provider has not verified, and strangers', async (t) => {
    const c = await company(t)
    const user = await outside(t, c)
    for (const [name, email] of [
      ['unverified', `unverified@${domain}`],
      ['stranger', `stranger@${domain}`],
    ] as const) {
      await user.page.context().clearCookies()
      await user.page.goto(`${c.server.url}/app/sign-in`)
      await withCompany(user, c, name, email)
      await user.read('company.error.email_not_accepted')
    }
  })

  test('is not entered from another site without a question', async (t) => {
    const c = await company(t)
    const { startUrl } = await ok(c.made.api.GET('/v1/organization/sign-in-provider'))
    const user = await outside(t, c)
    // A page of another site leads the browser there.
    await user.page.route(`${c.provider.issuer}/evil`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<script>location = ${JSON.stringify(startUrl)}</script>` }),
    )
    await user.page.goto(`${c.provider.issuer}/evil`)
    await user.page.waitForURL(startUrl!)
    await user.page.getByText(c.made.name, { exact: true }).waitFor()
    await user.page.getByRole('button', { name: 'Continue', exact: true }).click()
    await atProvider(user, c.provider, 'owner')
    await user.see('home.title')
  })
})
