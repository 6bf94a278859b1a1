// A sign-in that ends, and several tabs.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, User } from './support/dashboard.ts'
import { abort, requestsTo } from './support/network.ts'
import { startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

/** Ends the sign-ins of the browser, as the person can do on another device. */
const endSignIns = ({ api }: Organization) => ok(api.DELETE('/v1/me/sign-ins'))

const nameOf = async ({ api }: Organization) => (await ok(api.GET('/v1/organization'))).name

async function rename(user: User, name: string): Promise<void> {
  await user.field('settings.name').fill(name)
  await user.page.locator('#general').getByRole('button', { name: user.pattern('settings.save') }).click()
}

/** The last part of the settings is loaded by itself. Its request would find the end of a sign-in. */
async function isComplete(user: User): Promise<void> {
  await user.page.locator('#words form').waitFor()
}

async function signInAgain(user: User, password: string): Promise<void> {
  const dialog = user.dialog('signIn.again')
  await dialog.getByLabel(user.text('signIn.password')).fill(password)
  await dialog.getByRole('button', { name: user.pattern('signIn.submit') }).click()
}

describe('A sign-in that ends in the middle of a form loses nothing', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const) test(database, async (t) => {
    const server = await startServer({ database })
    t.after(server.stop)
    const made = await organization({}, server.url)
    const user = await dashboard(t, made, '/settings')
    await isComplete(user)
    await user.field('settings.support').fill('jobs@harbour-kitchens.example')
    await endSignIns(made)
    await rename(user, 'Harbour Kitchens Ltd')
    await user.dialog('signIn.again').waitFor()
    // Chromium closes a dialog at the second Escape by itself.
    await user.page.keyboard.press('Escape')
    await user.page.keyboard.press('Escape')
    await signInAgain(user, 'not the password')
    await user.read('problem.invalid_credentials')
    assert.equal(await nameOf(made), 'Harbour Kitchens')

    await signInAgain(user, made.owner.password)
    await user.read('settings.saved')
    assert.equal(await nameOf(made), 'Harbour Kitchens Ltd')
    await user.dialog('signIn.again').waitFor({ state: 'detached' })
    await until(async () =>
      assert.equal(await user.field('settings.support').inputValue(), 'jobs@harbour-kitchens.example'),
    )
  })
})

describe('Two tabs', { concurrency: 2 }, () => {
  /** Two tabs of one browser. */
  async function tabs(t: Parameters<typeof dashboard>[0], made: Organization) {
    const first = await dashboard(t, made, '/settings')
    await isComplete(first)
    const second = await dashboard(t, made, '/settings', { context: first.page.context() })
    await isComplete(second)
    return { first, second }
  }

  test('a sign-out ends both', async (t) => {
    const { first, second } = await tabs(t, await organization())
    await first.page.locator('.account summary').click()
    await first.button('nav.signOut').click()
    await first.see('signIn.title')
    await second.see('signIn.title')
    await until(async () => assert.equal(await second.page.getByText('Samin Okafor').count(), 0))
  })

  test('a sign-in in one continues the other', async (t) => {
    const made = await organization()
    const { first, second } = await tabs(t, made)
    await endSignIns(made)
    await rename(second, 'Harbour Kitchens Ltd')
    await second.dialog('signIn.again').waitFor()
    await first.field('settings.name').fill('not sent')
    await first.page.reload()
    await first.field('signIn.email').fill(made.owner.email)
    await first.field('signIn.password').fill(made.owner.password)
    await first.button('signIn.submit').click()
    await first.field('settings.name').waitFor()
    await second.read('settings.saved')
    assert.equal(await nameOf(made), 'Harbour Kitchens Ltd')
  })

  test('a form of one person is never sent as another person', async (t) => {
    const [made, other] = await Promise.all([organization(), organization({ name: 'Quayside Foods' })])
    const { first, second } = await tabs(t, made)
    await endSignIns(made)
    await rename(second, 'Harbour Kitchens Ltd')
    await second.dialog('signIn.again').waitFor()
    const changes = requestsTo(second.page, '/v1/organization', 'PATCH')
    await second.button('signIn.again.other').click()
    await second.see('signIn.title')
    await rename(first, 'Harbour Kitchens Ltd')
    await first.dialog('signIn.again').waitFor()
    const reloaded = first.page.waitForEvent('load')
    await second.field('signIn.email').fill(other.owner.email)
    await second.field('signIn.password').fill(other.owner.password)
    await second.button('signIn.submit').click()
    await second.see('home.title')
    await reloaded
    await first.page.getByText('Quayside Foods').first().waitFor()
    assert.equal(await nameOf(other), 'Quayside Foods')
    assert.equal(await nameOf(made), 'Harbour Kitchens')
    assert.equal(changes.length, 0)
  })

  test('tabs that renew at once share the cookie', async (t) => {
    const made = await organization()
    const { first, second } = await tabs(t, made)
    await Promise.all([first.page.reload(), second.page.reload(), first.page.waitForLoadState()])
    await Promise.all([first, second].map((user) => user.field('settings.name').waitFor()))
  })
})

test('without a connection, the page says so, and continues by itself', async (t) => {
  const made = await organization()
  let restore: () => Promise<void> = () => Promise.resolve()
  const user = await dashboard(t, made, '/settings', {
    before: async (page) => (restore = await abort(page, '/app/session')),
  })
  await user.see('page.unreachable.title')
  assert.equal(await user.field('signIn.email').count(), 0)
  await restore()
  await user.button('fault.retry').click()
  await user.field('settings.name').waitFor()
})

test('a sign-out that does not reach the server says so', async (t) => {
  const user = await dashboard(t, await organization(), '/settings')
  await user.field('settings.name').waitFor()
  const restore = await abort(user.page, '/app/session', { method: 'DELETE' })
  await user.page.locator('.account summary').click()
  await user.button('nav.signOut').click()
  await user.read('nav.signOut.failed')
  await restore()
  await user.button('nav.signOut').click()
  await user.see('signIn.title')
})

test('a response that is not that of the server is the same as none, and the list can be read later', async (t) => {
  const replies = [
    { status: 200, contentType: 'application/json', body: '{}' },
    { status: 200, contentType: 'application/json', body: '{"data":null}' },
    { status: 200, contentType: 'text/html', body: '<h1>Please sign in</h1>' },
    { status: 204 },
    { status: 302, headers: { Location: '/app' } },
  ]
  const owner = await organization()
  for (const reply of replies) {
    const user = await dashboard(t, owner, '/members', {
      before: (page) => page.route(/\/v1\/members/, (route) => route.fulfill(reply)),
    })
    await user.page.getByRole('heading', { level: 1 }).waitFor()
    await user.page.getByText(user.pattern('fault.offline')).first().waitFor()
    await user.page.unroute(/\/v1\/members/)
    await user.button('fault.retry').first().click()
    await user.page.getByText(owner.owner.email).first().waitFor()
    await user.page.context().close()
  }
})

test('a server that refuses each token is not asked for ever', async (t) => {
  const user = await dashboard(t, await organization(), '/settings')
  await user.field('settings.name').waitFor()
  const requests = requestsTo(user.page, '/v1/members')
  await user.page.route(/\/v1\/members/, (route) =>
    route.fulfill({
      status: 401,
      headers: { 'X-Request-Id': 'req_01m6gagea5f23rz6arqmjfkxcm' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 401, code: 'unauthenticated', title: 'A title', detail: 'A test.', errors: [] }),
    }),
  )
  await user.link('nav.members').first().click()
  await user.page.getByText('A test.').waitFor()
  assert.equal(requests.length, 4)
})
