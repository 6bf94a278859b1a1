// The page at /reset-password. The whole way from the email is in email-journeys.test.ts.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { resetLink } from './account_states.ts'
import { disconnect } from './support/chromium.ts'
import { goodPassword, Member } from './support/member.ts'
import { answer, requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { sharedServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

const reset = '/app/session'
const forgot = '/v1/auth/forgot-password'
const address = () => `${sharedServer()}/reset-password`

test('a link that the server does not know leads to a new one', async (t) => {
  const { page } = await open(t, resetLink())
  const member = new Member(page)
  assert.equal(page.url(), address())
  await member.choose(goodPassword, 'reset.change')
  await member.see('resetUsed.title')
  await until(async () => assert.deepEqual(await page.evaluate(() => history.state), { view: 'resetUsed' }))
  await page.reload()
  await member.see('resetUsed.title')
  await member.button('reset.newLink').click()
  await member.see('forgot.title')
})

test('a damaged link is named, and a new one can be requested', async (t) => {
  const { page } = await open(t, resetLink().slice(0, -1))
  const member = new Member(page)
  await member.see('forgot.title')
  await member.read('link.damaged')
  assert.equal(page.url(), address())
  // A link to an invitation is not one to a new password.
  await page.goto('about:blank')
  await page.goto(`${address()}#mbr_${'0'.repeat(64)}`)
  await member.read('link.damaged')
})

test('an email address is checked before it is sent, and a refused one can be corrected', async (t) => {
  const { page } = await open(t, address(), {
    before: (page) =>
      answer(page, forgot, { status: 400, code: 'invalid_request', fields: { '/email': 'invalid_format' }, times: 1 }),
  })
  const member = new Member(page)
  const requests = requestsTo(page, forgot)
  await until(async () => assert.equal(await member.email().getAttribute('autocomplete'), 'username'))
  for (const wrong of ['', 'jonas', 'jonas@']) {
    await member.forget(wrong)
    await member.read('forgot.invalid')
    await until(async () =>
      assert.equal(await member.email().evaluate((element) => element === document.activeElement), true),
    )
  }
  assert.equal(requests.length, 0)
  await member.forget(' jonas@-.example ')
  await member.read('forgot.invalid')
  assert.equal(requests.length, 1)
  assert.deepEqual(requests[0]!.postDataJSON(), { email: 'jonas@-.example' })
})

test('a page that was opened again after the change says what has happened', async (t) => {
  const { page } = await open(t, resetLink(), { before: (page) => answer(page, reset, { method: 'POST', status: 200, data: { accessToken: 'x' } }) })
  const member = new Member(page)
  await member.choose(goodPassword, 'reset.change')
  await member.see('changed.title')
  await page.reload()
  await member.see('changed.title')
})

test('without texts, the page says that the server cannot be reached', async (t) => {
  const { page } = await open(t, 'about:blank#', { allow: [/other origin/] })
  await page.route(/\.json$/, (route) => route.abort('connectionfailed'))
  await page.goto(address())
  await new Member(page).see('page.unreachable.title')
})

test('the page loads at most 25 KB in five requests', async (t) => {
  const { page, requests } = await open(t, `${sharedServer()}/healthz`)
  requests.length = 0
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => bodies.push(response.body()))
  await page.goto(resetLink())
  await new Member(page).see('reset.title')
  await page.waitForLoadState('networkidle')
  const total = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  t.diagnostic(`${total} bytes: ${requests.join(' ')}`)
  assert.ok(requests.length <= 5, requests.join(' '))
  assert.ok(total > 10_000 && total <= 25_000, `${total} bytes`)
})
