// One person in several organizations: the switch, other tabs, and what the browser keeps.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import createClient from 'openapi-fetch'
import type { Page } from 'playwright-core'
import type { paths } from '../src/shared/openapi.gen.ts'
import { ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, switchTo, User } from './support/dashboard.ts'
import { inviteMember } from './support/member.ts'
import { answer, requestsTo } from './support/network.ts'
import { startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

/** Two organizations. The owner of the first one is an ADMIN of the second one, too. */
async function twoOrganizations(baseUrl?: string): Promise<{ first: Organization; second: Organization }> {
  const first = await organization({}, baseUrl)
  const second = await organization({ name: 'Quayside Foods' }, baseUrl)
  const { token } = await inviteMember(second, { email: first.owner.email, name: first.owner.name })
  const body = { token, password: first.owner.password }
  await ok(createClient<paths>({ baseUrl: first.baseUrl }).POST('/v1/auth/accept-invitation', { body }))
  return { first, second }
}

/** Signs in to the first organization, whichever was the last one. */
async function inFirst(t: TestContext, first: Organization, path: string): Promise<User> {
  const { organization } = await ok(first.api.GET('/v1/me'))
  const user = await dashboard(t, first, '/nothing-here', {
    before: async (_, context) => {
      const response = await context.request.post(`${first.baseUrl}/app/session`, {
        headers: { Origin: first.baseUrl },
        data: { type: 'login', ...{ email: first.owner.email, password: first.owner.password }, organizationId: organization.id },
      })
      assert.equal(response.status(), 200)
    },
  })
  await user.see('page.notFound.title')
  await user.page.goto(`${first.baseUrl}/app${path}`)
  return user
}

const nameIn = (page: Page) => page.locator('.org').innerText()

describe('A switch', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const) test(`opens the other organization: ${database}`, async (t) => {
    const server = await startServer({ database })
    t.after(server.stop)
    const { first } = await twoOrganizations(server.url)
    const user = await inFirst(t, first, '/members')
    await user.see('members.title')
    await switchTo(user, 'Quayside Foods')
    await user.see('home.title')
    assert.match(await nameIn(user.page), /Quayside Foods/)
    await user.page.reload()
    await user.see('home.title')
    assert.match(await nameIn(user.page), /Quayside Foods/)
    // Back shows nothing of the other organization.
    await user.page.goBack()
    await until(async () => assert.match(await nameIn(user.page), /Quayside Foods/))
  })

  test('works with the keyboard, and shows which organization is open', async (t) => {
    const { first } = await twoOrganizations()
    const user = await inFirst(t, first, '/members')
    await user.see('members.title')
    await user.page.locator('.account summary').focus()
    await user.page.keyboard.press('Enter')
    await user.button('nav.switch').focus()
    await user.page.keyboard.press('Enter')
    const dialog = user.dialog('organizations.title')
    const current = dialog.locator('[aria-current=true]')
    await current.waitFor()
    assert.match(await current.innerText(), /Harbour Kitchens/)
    await dialog.getByRole('button', { name: /Quayside Foods/ }).focus()
    const loaded = user.page.waitForEvent('load')
    await user.page.keyboard.press('Enter')
    await loaded
    await until(async () => assert.match(await nameIn(user.page), /Quayside Foods/))
  })

  test('a refusal stays in the dialog, and the organization stays', async (t) => {
    const { first } = await twoOrganizations()
    const user = await inFirst(t, first, '/members')
    await user.see('members.title')
    await answer(user.page, '/app/session', { status: 404, code: 'not_found', method: 'POST', requestId: 'req_1' })
    await user.page.locator('.account summary').click()
    await user.button('nav.switch').click()
    await user.dialog('organizations.title').getByRole('button', { name: /Quayside Foods/ }).click()
    await user.read('problem.not_found')
    await user.page.keyboard.press('Escape')
    await user.link('nav.settings').first().click()
    await user.field('settings.name').waitFor()
  })

  test('a person in one organization has no menu for it', async (t) => {
    const user = await dashboard(t, await organization(), '/members')
    await user.see('members.title')
    await user.page.locator('.account summary').click()
    await user.button('nav.signOut').waitFor()
    assert.equal(await user.button('nav.switch').count(), 0)
  })
})

describe('Another tab', { concurrency: 2 }, () => {
  test('shows nothing of its organization, sends nothing to the new one, and continues there', async (t) => {
    const { first, second } = await twoOrganizations()
    const tab = await inFirst(t, first, '/settings')
    await tab.field('settings.name').fill('Never sent')
    const page = await tab.page.context().newPage()
    const other = new User(page)
    await page.goto(`${first.baseUrl}/app/members`)
    await other.see('members.title')
    const changes = requestsTo(tab.page, /\/v1\/(?!me$)/)
    changes.length = 0
    await switchTo(other, 'Quayside Foods')
    await tab.see('organizations.elsewhere.title')
    assert.equal(await tab.page.getByRole('navigation').count(), 0)
    assert.equal(await tab.page.locator('input').count(), 0)
    await tab.page.waitForTimeout(300)
    assert.deepEqual(changes.map((request) => request.url()), [])
    await tab.button('organizations.elsewhere.go').click()
    await tab.see('home.title')
    assert.match(await nameIn(tab.page), /Quayside Foods/)
    assert.equal((await ok(second.api.GET('/v1/organization'))).name, 'Quayside Foods')
    assert.equal((await ok(first.api.GET('/v1/organization'))).name, 'Harbour Kitchens')
  })

  test('switches back, and finds what was typed there', async (t) => {
    const { first } = await twoOrganizations()
    const tab = await inFirst(t, first, '/settings')
    await tab.field('settings.name').fill('Harbour Kitchens Ltd')
    await tab.page.waitForFunction(() => Object.keys(sessionStorage).some((key) => key.startsWith('assay.draft')))
    const page = await tab.page.context().newPage()
    const other = new User(page)
    await page.goto(`${first.baseUrl}/app/members`)
    await other.see('members.title')
    await switchTo(other, 'Quayside Foods')
    await tab.see('organizations.elsewhere.title')
    // The other organization has drafts of its own.
    await page.goto(`${first.baseUrl}/app/settings`)
    await until(async () => assert.equal(await other.field('settings.name').inputValue(), 'Quayside Foods'))
    const loaded = tab.page.waitForEvent('load')
    await tab.button('organizations.elsewhere.back').click()
    await loaded
    await tab.page.goto(`${first.baseUrl}/app/settings`)
    await until(async () => assert.equal(await tab.field('settings.name').inputValue(), 'Harbour Kitchens Ltd'))
    await other.see('organizations.elsewhere.title')
  })

  test('a tab that heard nothing finds out with its next request', async (t) => {
    const { first } = await twoOrganizations()
    const tab = await inFirst(t, first, '/members')
    await tab.see('members.title')
    const me = await tab.page.context().request.put(`${first.baseUrl}/app/session`, { headers: { Origin: first.baseUrl } })
    const { accessToken } = ((await me.json()) as { data: { accessToken: string } }).data
    const api = createClient<paths>({ baseUrl: first.baseUrl, headers: { Authorization: `Bearer ${accessToken}` } })
    const memberships = await ok(api.GET('/v1/me/memberships'))
    const { organization } = memberships.find(({ current }) => !current)!
    const switched = await tab.page.context().request.post(`${first.baseUrl}/app/session`, {
      headers: { Origin: first.baseUrl },
      data: { type: 'switch', organizationId: organization.id },
    })
    assert.equal(switched.status(), 200)
    await tab.link('nav.settings').first().click()
    await tab.see('organizations.elsewhere.title')
  })
})

test('a sign-out removes what the browser keeps for each organization', async (t) => {
  const { first } = await twoOrganizations()
  const user = await inFirst(t, first, '/settings')
  await user.field('settings.name').fill('Harbour Kitchens Ltd')
  await user.page.waitForFunction(() => Object.keys(sessionStorage).some((key) => key.startsWith('assay.draft')))
  await switchTo(user, 'Quayside Foods')
  await user.see('home.title')
  const drafts = () => user.page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('assay.draft')))
  assert.equal((await drafts()).length, 1)
  await user.page.locator('.account summary').click()
  await user.button('nav.signOut').click()
  // It asks first, because the draft would be lost.
  await user.button('signOut.go').click()
  await user.see('signIn.title')
  assert.deepEqual(await drafts(), [])
})
