// The page at /accept-invitation.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { announced, awaitAnnouncement } from './support/live.ts'
import { goodPassword, inviteMember, Member, signIn } from './support/member.ts'
import { answer, delay, loseResponse, requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { servedBelow } from './support/proxy.ts'
import { sharedServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

const accept = '/app/session'

test('an invited person joins, and continues in the dashboard', async (t) => {
  const invited = await inviteMember(await organization())
  const { page, context, requests } = await open(t, invited.link)
  const member = new Member(page)
  await member.see('invitation.title')
  assert.equal(page.url(), `${sharedServer()}/accept-invitation`)
  assert.ok(!(await page.evaluate(() => document.title + document.documentElement.outerHTML)).includes(invited.token))

  // As a password manager fills it in.
  await until(async () => assert.equal(await member.password().getAttribute('autocomplete'), 'new-password'))
  await member.choose(goodPassword, 'invitation.join')
  await member.seeDashboard()
  await page.getByText(invited.email).first().waitFor({ state: 'attached' })
  assert.equal(await signIn(invited.email, goodPassword), 200)
  const [cookie, ...others] = await context.cookies()
  assert.deepEqual(
    [cookie?.name, cookie?.httpOnly, cookie?.sameSite, cookie?.path, others],
    ['assay', true, 'Strict', '/', []],
  )
  await page.reload()
  await member.seeDashboard()

  await page.goto(invited.link)
  await member.choose(goodPassword, 'invitation.join')
  await member.see('invitationUsed.title')
  const signInLink = page.getByRole('link', { name: member.text('invitationUsed.signIn') })
  await until(async () =>
    assert.equal(await signInLink.evaluate((link) => (link as HTMLAnchorElement).href), `${sharedServer()}/app/sign-in`),
  )
  await page.getByRole('link', { name: member.text('invitationUsed.forgot.link') }).click()
  await member.see('forgot.title')
  for (const address of requests) assert.ok(!address.includes(invited.token), address)
})

test('if the dashboard does not appear, the page has a link to it, also after a reload', async (t) => {
  const invited = await inviteMember(await organization())
  // 204 leaves the page as it is.
  const { page } = await open(t, invited.link, {
    before: (page) => answer(page, /\/app$/, { status: 204, times: 1 }),
  })
  const member = new Member(page)
  await member.choose(goodPassword, 'invitation.join')
  await member.see('joined.title')
  await until(async () => assert.deepEqual(await page.evaluate(() => history.state), { view: 'joined' }))
  await page.reload()
  await member.see('joined.title')
  await page.getByRole('link', { name: member.text('joined.open') }).click()
  await member.seeDashboard()
})

test('the token survives a reload, but not its use, and no other tab has it', async (t) => {
  const invited = await inviteMember(await organization())
  const { page, context } = await open(t, invited.link)
  const member = new Member(page)
  await member.see('invitation.title')
  await page.reload()
  await member.see('invitation.title')
  const other = await open(t, `${sharedServer()}/accept-invitation`, { context })
  await new Member(other.page).see('noInvitation.title')
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  assert.ok(!kept.includes(invited.token))

  await member.choose(goodPassword, 'invitation.join')
  await member.seeDashboard()
  assert.ok(!JSON.stringify(await page.evaluate(() => history.state)).includes(invited.token))
})

test('a link that is pasted into the open page replaces the first one', async (t) => {
  const made = await organization()
  const invited = await inviteMember(made)
  const { page } = await open(t, `${sharedServer()}/accept-invitation#mbr_${'0'.repeat(64)}`)
  const member = new Member(page)
  await member.choose(goodPassword, 'invitation.join')
  await member.see('invitationUsed.title')
  await page.evaluate((link) => {
    location.href = link
  }, `${invited.link}.`) // a full stop of the sentence
  await member.choose(goodPassword, 'invitation.join')
  await member.seeDashboard()
})

test('a weak password is explained at its field, and the invitation stays', async (t) => {
  const invited = await inviteMember(await organization())
  const { page } = await open(t, invited.link)
  const member = new Member(page)
  const requests = requestsTo(page, accept, 'POST')
  const refused = async (password: string, key: string, params = {}) => {
    await member.choose(password, 'invitation.join')
    await member.read(key, params)
    await awaitAnnouncement(page, member.text(key, params))
    const field = member.password()
    await until(async () => assert.equal(await field.getAttribute('aria-invalid'), 'true'))
    await until(async () => assert.equal(await field.evaluate((element) => element === document.activeElement), true))
    const description = await field.evaluate((element) =>
      element
        .getAttribute('aria-describedby')!
        .split(' ')
        .map((id) => document.getElementById(id)!.textContent)
        .join(' '),
    )
    assert.match(description, new RegExp(member.pattern(key, params).source.slice(1, -1)))
  }
  await refused('', 'password.tooShort', { count: 12 })
  await refused('éééééééééé⛵', 'password.tooShort', { count: 12 })
  await refused('x'.repeat(129), 'password.tooLong', { count: 128 })
  assert.equal(requests.length, 0)
  await refused('aaaaaaaaaaaaaaaa', 'password.tooCommon')
  await refused(invited.email, 'password.tooCommon')
  assert.equal(requests.length, 2)
  await member.choose(goodPassword, 'invitation.join')
  await member.seeDashboard()
})

test('a person with an account elsewhere joins with its password', async (t) => {
  const email = `${crypto.randomUUID()}@harbour-kitchens.example`
  const first = await inviteMember(await organization(), { email })
  const second = await inviteMember(await organization({ name: 'Quay Bakery' }), { email })
  const { page } = await open(t, first.link)
  const member = new Member(page)
  await member.choose(goodPassword, 'invitation.join')
  await member.seeDashboard()
  await page.goto(second.link)
  await member.button('invitation.use').click()
  const password = page.getByLabel(member.text('password.known'))
  assert.equal(await password.getAttribute('autocomplete'), 'current-password')
  await password.fill('not the password at all')
  await member.button('invitation.join').click()
  await member.read('password.other')
  await password.fill(goodPassword)
  await member.button('invitation.join').click()
  await member.seeDashboard()
  await page.getByText('Quay Bakery').first().waitFor()
})

test('the limit of attempts counts down, once for screen readers, and then another attempt works', async (t) => {
  const invited = await inviteMember(await organization())
  const { page } = await open(t, invited.link, {
    before: (page) => answer(page, accept, { status: 429, code: 'rate_limited', retryAfter: 3, times: 1 }),
  })
  const member = new Member(page)
  const requests = requestsTo(page, accept, 'POST')
  await member.choose(goodPassword, 'invitation.join')
  await member.read('failure.seconds', { count: 3 })
  await member.button('invitation.join').click({ force: true })
  await member.read('failure.seconds', { count: 1 })
  assert.equal(requests.length, 1)
  await awaitAnnouncement(page, member.text('failure.again'))
  const said = (await announced(page)).filter((text) => text.includes(member.text('failure.limited')))
  assert.equal(said.length, 1, said.join(' / '))
  await until(async () => assert.equal(await member.password().inputValue(), goodPassword))
  await member.button('invitation.join').click()
  await member.seeDashboard()
})

test('without a connection, the form stays, and later works', async (t) => {
  const invited = await inviteMember(await organization())
  const { page, context } = await open(t, invited.link)
  const member = new Member(page)
  await member.see('invitation.title')
  await context.setOffline(true)
  await member.choose(goodPassword, 'invitation.join')
  await awaitAnnouncement(page, member.text('failure.offline'))
  await context.setOffline(false)
  await member.button('invitation.join').click()
  await member.seeDashboard()
})

test('if only the response is lost, the page says what to do', async (t) => {
  const invited = await inviteMember(await organization())
  const { page } = await open(t, invited.link, { before: (page) => loseResponse(page, accept, { times: 1 }) })
  const member = new Member(page)
  await member.choose(goodPassword, 'invitation.join')
  await member.read('failure.offline')
  await member.button('invitation.join').click()
  await member.see('invitationUsed.title')
  await member.read('invitationUsed.text')
  assert.equal(await signIn(invited.email, goodPassword), 200)
})

test('a fault of the server shows the id of the request, which can be copied', async (t) => {
  const requestId = 'req_01m6gagea5f23rz6arqmjfkxcm'
  const { page, context } = await open(t, `${sharedServer()}/accept-invitation#mbr_${'0'.repeat(64)}`, {
    allow: [/^500: /],
    before: (page) => answer(page, accept, { status: 500, code: 'internal', requestId }),
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const member = new Member(page)
  await member.choose(goodPassword, 'invitation.join')
  await page.getByText(requestId).waitFor()
  await awaitAnnouncement(page, requestId)
  await member.button('failure.copy').click()
  await member.button('failure.copied').waitFor()
})

test('a double press sends once, and the password is hidden before it is sent', async (t) => {
  const invited = await inviteMember(await organization())
  const { page } = await open(t, invited.link, { before: (page) => delay(page, accept, 300) })
  const member = new Member(page)
  const requests = requestsTo(page, accept, 'POST')
  await member.password().fill(goodPassword)
  await member.button('password.show').click()
  await until(async () => assert.equal(await member.password().getAttribute('type'), 'text'))
  await awaitAnnouncement(page, member.text('password.shown'))
  await member.button('invitation.join').dblclick()
  await until(async () => assert.equal(await member.password().getAttribute('type'), 'password'))
  await member.seeDashboard()
  assert.equal(requests.length, 1)
})

test('the keyboard is enough', async (t) => {
  const invited = await inviteMember(await organization())
  const { page } = await open(t, invited.link)
  const member = new Member(page)
  await member.see('invitation.title')
  const focused = () => page.evaluate(() => document.activeElement!.id || document.activeElement!.textContent)
  await page.keyboard.press('Tab')
  await until(async () => assert.equal(await focused(), 'password'))
  await page.keyboard.type(goodPassword)
  await page.keyboard.press('Tab')
  await until(async () => assert.equal(await focused(), member.text('password.show')))
  await page.keyboard.press('Space')
  await until(async () => assert.equal(await focused(), member.text('password.hide')))
  await page.keyboard.press('Tab')
  await until(async () => assert.equal(await focused(), member.text('invitation.join')))
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await member.seeDashboard()
})

test('the page speaks the language of the browser, and another one on request', async (t) => {
  const invited = await inviteMember(await organization())
  const { page } = await open(t, invited.link, { locale: 'de-CH' })
  const german = new Member(page, 'de')
  await german.see('invitation.title')
  await german.password().fill(goodPassword)
  await page.locator('.language select').selectOption('en')
  const member = new Member(page)
  await member.see('invitation.title')
  await until(async () => assert.equal(await member.password().inputValue(), goodPassword))
  await page.goto(`${sharedServer()}/reset-password?lang=de`)
  await german.see('forgot.title')
  assert.equal(page.url(), `${sharedServer()}/reset-password`)
})

test('the page works below a path of a proxy', async (t) => {
  const invited = await inviteMember(await organization())
  const base = await servedBelow(t, '/hiring')
  const { page } = await open(t, `${base}/accept-invitation#${invited.token}`)
  const member = new Member(page)
  await member.choose(goodPassword, 'invitation.join')
  await member.seeDashboard()
  assert.equal(page.url(), `${base}/app`)
})
