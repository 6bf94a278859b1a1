// Registering, and signing in.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, User } from './support/dashboard.ts'
import { goodPassword } from './support/member.ts'
import { answer, requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { sharedServer, startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

describe('The first person registers with the link of the service', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const) test(database, async (t) => {
    // The machine of the service needs no token, unless the service is published.
    const env = { ASSAY_BASE_URL: 'http://assay.example', ASSAY_REGISTRATION: 'first' }
    const server = await startServer({ database, env })
    t.after(server.stop)
    const token = /setup_[0-9a-f]{32}/.exec(readFileSync(server.log, 'utf8'))?.[0]
    assert.ok(token, 'the log has no token')

    const wrong = `setup_${'0'.repeat(32)}`
    const { page } = await open(t, `${server.url}/app/register#${wrong}`)
    const user = new User(page)
    await user.see('register.setup.title')
    assert.equal(page.url(), `${server.url}/app/register`)
    assert.equal(await user.field('register.token').count(), 0)
    await page.reload()
    await user.see('register.setup.title')
    assert.equal(await user.field('register.token').count(), 0, 'the page keeps the token')

    await user.field('register.organization').fill('Harbour Kitchens')
    await user.field('register.name').fill('Samin Okafor')
    await user.field('register.email').fill('chef@harbour-kitchens.example')
    await user.field('signIn.password').fill('correct horse')
    await user.button('register.submit').click()
    await user.read('register.token.wrong')
    await user.field('register.token').fill(token)
    await user.field('signIn.password').fill(goodPassword)
    await user.button('register.submit').click()
    await user.see('home.title')
    assert.equal(page.url(), `${server.url}/app`)

    // The service is set up now.
    await page.locator('.account summary').click()
    await user.button('nav.signOut').click()
    await user.see('signIn.title')
    await user.read('signIn.closed')
    await page.goto(`${server.url}/app/register`)
    await user.see('register.closed.title')
  })
})

test('a wrong password and an unknown address get the same answer, and then the wanted screen opens', async (t) => {
  const made = await organization()
  const { page } = await open(t, `${sharedServer()}/app/members?dialog=invite`)
  const user = new User(page)
  await user.see('signIn.title')
  // The screen is kept while the person looks at the other form.
  await user.link('signIn.register.link').click()
  await user.see('register.title')
  await user.link('register.signIn.link').click()
  await user.see('signIn.title')

  const requests = requestsTo(page, '/app/session', 'POST')
  await user.button('signIn.submit').click()
  await user.read('field.required')
  assert.equal(requests.length, 0)
  for (const email of [made.owner.email, 'nobody@harbour-kitchens.example']) {
    await user.field('signIn.email').fill(email)
    await user.field('signIn.password').fill('not the password')
    await user.button('signIn.submit').click()
    await user.read('problem.invalid_credentials')
    await until(async () =>
      assert.match(await page.getByRole('alert').innerText(), user.pattern('problem.invalid_credentials')),
    )
    await user.field('signIn.email').fill('')
    await user.button('signIn.submit').click() // removes the note
    await page.getByRole('alert').waitFor({ state: 'detached' })
  }

  await user.field('signIn.email').fill(` ${made.owner.email} `)
  await user.field('signIn.password').fill(made.owner.password)
  await user.button('signIn.submit').click()
  await user.see('members.title')
  await user.dialog('members.invite.title').waitFor()
})

test('password managers and people can use the form', async (t) => {
  const { page } = await open(t, `${sharedServer()}/app/sign-in`)
  const user = new User(page)
  const password = user.field('signIn.password')
  await until(async () => assert.equal(await user.field('signIn.email').getAttribute('autocomplete'), 'username'))
  await until(async () => assert.equal(await password.getAttribute('autocomplete'), 'current-password'))
  await password.fill('copper lantern')
  await user.button('password.show').click()
  await until(async () => assert.equal(await password.getAttribute('type'), 'text'))
  await until(async () => assert.equal(await password.inputValue(), 'copper lantern'))
  await user.button('password.hide').click()
  await until(async () => assert.equal(await password.getAttribute('type'), 'password'))
})

test('a foreign address is no screen to return to', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, '/profile')
  const foreign = ['https://elsewhere.example/app', '//elsewhere.example/app', '/application', 'javascript:alert(1)']
  for (const next of foreign) {
    await user.page.goto(`${made.baseUrl}/app/sign-in?next=${encodeURIComponent(next)}`)
    await user.see('home.title')
    assert.equal(user.page.url(), `${made.baseUrl}/app`)
    // A server reports requests that the browser abandons.
    await user.page.waitForLoadState('networkidle')
  }
})

test('too many attempts count down, and then the form works again', async (t) => {
  const made = await organization()
  const { page } = await open(t, `${sharedServer()}/app/sign-in`, {
    before: async (page) => {
      await page.clock.install()
      await answer(page, '/app/session', {
        status: 429,
        code: 'rate_limited',
        retryAfter: 40,
        requestId: 'req_01m6gagea5f23rz6arqmjfkxcm',
        method: 'POST',
        times: 1,
      })
    },
  })
  const user = new User(page)
  await user.field('signIn.email').fill(made.owner.email)
  await user.field('signIn.password').fill(made.owner.password)
  const requests = requestsTo(page, '/app/session', 'POST')
  await user.button('signIn.submit').click()
  await user.read('fault.limited')
  await user.button('signIn.submit').click({ force: true })
  await page.clock.fastForward(30_000)
  await page.getByText(/Try again in \d seconds?\./).waitFor()
  assert.equal(requests.length, 1, 'the form waits')
  await page.clock.fastForward(10_000)
  await page.locator('form button[aria-disabled=false]').waitFor()
  await user.button('signIn.submit').click()
  await user.see('home.title')
})
