// The members, the settings, and the profile.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { staffed } from './app_states/accounts.ts'
import { ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard, startSession } from './support/dashboard.ts'
import { goodPassword, signIn } from './support/member.ts'
import { requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { until } from './support/until.ts'

after(disconnect)

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a person is invited, gets the link, changes the role, and is removed', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, '/members')
  await user.button('members.invite').first().click()
  assert.match(user.page.url(), /dialog=invite/)
  const email = `jonas.${made.owner.email}`
  await user.page.getByRole('textbox', { name: user.text('members.name') }).fill('Jonas Weber')
  assert.equal(await user.field('members.email').getAttribute('autocorrect'), 'off')
  await user.field('members.email').fill(made.owner.email)
  await user.button('members.invite.submit').click()
  await user.read('members.taken')
  await user.field('members.email').fill(email)
  await user.button('members.invite.submit').dblclick()
  await user.dialog('members.link.title').waitFor()
  await user.read('members.link.notSent')
  const link = await user.field('members.link.label').inputValue()
  assert.match(link, /\/accept-invitation#mbr_[0-9a-f]{64}$/)
  await user.button('members.link.done').click()
  const row = user.row(email)
  await row.getByText(user.pattern('members.status.INVITED')).waitFor()
  await until(async () => assert.equal(await row.count(), 1))

  // A new role ends the link, and a new invitation can be sent from the message.
  await row.getByRole('combobox').selectOption('ADMIN')
  await row.getByText(user.pattern('members.status.expired'), { exact: true }).waitFor()
  await user.page.locator('.notice').getByRole('button', { name: user.pattern('members.renew') }).click()
  await user.dialog('members.link.title').waitFor()
  const { page } = await open(t, await user.field('members.link.label').inputValue())
  await page.getByLabel(/password/i).fill(goodPassword)
  await page.getByRole('button', { name: /join/i }).click()
  await page.getByText(email).waitFor()
  await user.button('members.link.done').click()

  await user.page.reload()
  await row.getByText(user.pattern('members.status.ACTIVE')).waitFor()
  await row.getByRole('combobox').selectOption('MEMBER')
  await user.button('members.undo').click()
  await user.page.waitForFunction((id) => document.querySelector<HTMLSelectElement>(id)?.value === 'ADMIN', 'td select')

  await row.locator('summary').click()
  await user.button('members.remove').first().click()
  const question = user.dialog('members.remove.title')
  await question.getByText(email).waitFor()
  await question.getByRole('button', { name: user.pattern('members.remove') }).click()
  await user.read('members.removed', { name: 'Jonas Weber' })
  await row.waitFor({ state: 'detached' })
  assert.equal(await signIn(email, goodPassword), 401)
})

test('a person who leaves is signed out', async (t) => {
  const made = await organization()
  const person = await colleague(made, 'ADMIN')
  const user = await dashboard(t, made, '/members', { person })
  await user.row(person.email).locator('summary').click()
  await user.button('members.leave').first().click()
  const question = user.dialog('members.leave.title')
  await question.getByRole('button', { name: user.pattern('members.leave') }).click()
  await user.see('signIn.title')
})

test('the frame shows a new name, logo, and color at once', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, '/settings')
  const { page } = user
  await user.field('settings.name').fill('Quayside Foods')
  const general = page.locator('#general')
  await user.field('settings.expiry').fill('0')
  await general.getByRole('button', { name: user.pattern('settings.save') }).click()
  await user.read('settings.expiry.wrong')
  await user.field('settings.expiry').fill('21')
  await general.getByRole('button', { name: user.pattern('settings.save') }).click()
  await page.locator('.org').getByText('Quayside Foods').waitFor()

  const file = page.getByLabel(user.text('settings.logo.file'))
  await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  await user.read('settings.logo.type')
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
  await user.read('settings.logo.refused')
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pixel })
  await page.locator('.org img').waitFor()
  await user.button('settings.logo.delete').click()
  const question = user.dialog('settings.logo.delete.title')
  await question.getByRole('button', { name: user.pattern('settings.logo.delete') }).click()
  await page.locator('.org img').waitFor({ state: 'detached' })

  const before = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'))
  await user.field('settings.color').fill('#ffe08a')
  await page.getByText(user.text('settings.color.darker')).waitFor()
  await page.locator('#brand form').getByRole('button', { name: user.pattern('settings.save') }).click()
  await page.waitForFunction(
    (old) => getComputedStyle(document.documentElement).getPropertyValue('--accent') !== old,
    before,
  )

  await user.field('settings.notice').fill('We keep your answers for **six months**.')
  await page.locator('#candidates').getByRole('button', { name: user.pattern('settings.save') }).click()
  await page.locator('#candidates summary').click()
  await page.locator('#candidates strong').getByText('six months').waitFor()
  const saved = await ok(made.api.GET('/v1/organization'))
  assert.deepEqual([saved.name, saved.inviteExpiryDays, saved.logoUrl], ['Quayside Foods', 21, null])
  assert.equal(saved.accentColor, '#ffe08a')
})

test('a person without the role reads the settings, and cannot change them', async (t) => {
  const user = await dashboard(t, await staffed(), '/settings', { role: 'MEMBER' })
  await user.field('settings.name').waitFor()
  await until(async () => assert.equal(await user.field('settings.name').isDisabled(), true))
  const requests = requestsTo(user.page, '/v1/organization', 'PATCH')
  for (const button of await user.button('settings.save').all()) await button.click({ force: true })
  assert.equal(requests.length, 0)
})

test('own name, password, language, and sign-ins', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, '/profile')
  const { page } = user
  await user.field('profile.name').fill('Samin A. Okafor')
  await user.button('profile.save').click()
  await page.locator('.account').getByText('Samin A. Okafor').waitFor()

  // Another browser is signed in. Its sign-in is ended from here.
  const other = await page.context().browser()!.newContext({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  t.after(() => other.close())
  await startSession(other, made.baseUrl, made.owner)
  await page.reload()
  const device = page.getByRole('listitem').filter({ hasText: 'Firefox' })
  await device.getByText(user.text('profile.device', { browser: 'Firefox', system: 'Linux' })).waitFor()
  await device.getByRole('button').click()
  await device.waitFor({ state: 'detached' })

  await user.field('profile.password.current').fill('not the password')
  await user.field('profile.password.new').fill(goodPassword)
  await user.button('profile.password.change').click()
  await user.read('profile.password.wrong')
  assert.equal(await user.dialog('signIn.again').count(), 0)
  await user.field('profile.password.current').fill(made.owner.password)
  await user.button('profile.password.change').click()
  await user.read('profile.password.changed')
  await page.getByRole('listitem').getByText(user.pattern('profile.signIns.current')).waitFor()
  await until(async () => assert.equal(await page.locator('.profile-devices li').count(), 1))
  assert.equal(await signIn(made.owner.email, goodPassword), 200)

  await user.field('profile.language.label').selectOption('de')
  await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor()
})
