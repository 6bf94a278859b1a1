// Invites: one candidate, and many from a spreadsheet.
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, organization, type Organization } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, signedIn, User } from './support/dashboard.ts'
import { open } from './support/page.ts'
import { finished, kitchen } from './support/results.ts'
import { sharedServer, startServer } from './support/server.ts'
import { until } from './support/until.ts'
import { withEmail } from './support/with_email.ts'

after(disconnect)

/** Pastes a text into the field that has the focus. */
async function paste(page: Page, content: string): Promise<void> {
  await page.locator('textarea').evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, content)
}

async function total({ api }: Organization): Promise<number> {
  return (await ok(api.GET('/v1/candidate-sessions/summary'))).total
}

async function saved(page: Page, act: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return (await buffer(await download.createReadStream())).toString('utf8')
}

test('one candidate is invited once, and other values are a question', async (t) => {
  const owner = await organization()
  await owner.publish(eachType())
  const user = await dashboard(t, owner, '/invite') // the only assessment is chosen
  const { page } = user
  await user.button('invite.one.submit').click()
  await page.getByText(user.text('invite.fault.candidateName.too_short')).waitFor()
  const fill = async (name: string) => {
    await page.getByLabel(user.text('invite.name')).fill(name)
    await page.getByLabel(user.text('invite.email.address')).fill('mei@candidate.example')
    await user.button('invite.one.submit').click()
  }
  await fill('Mei Lindqvist')
  await user.read('invite.one.done', { name: 'Mei Lindqvist' })
  const link = await page.getByLabel(user.text('invite.link'), { exact: true }).inputValue()
  assert.match(link, /\/take#inv_/)
  await user.button('invite.one.again').click()
  await fill('Mei Lindqvist')
  await user.read('invite.one.existing.title', { name: 'Mei Lindqvist' })
  await user.button('invite.one.again').click()
  await fill('Mei L.')
  await user.button('invite.conflict.update').click()
  await user.read('invite.one.existing.title', { name: 'Mei L.' })
  assert.equal(await total(owner), 1)
})

test('three people are invited from a spreadsheet with the keyboard', async (t) => {
  const owner = await organization()
  const assessmentId = await owner.publish(eachType())
  const user = await dashboard(t, owner, `/invite?assessment=${assessmentId}`)
  const { page } = user
  await user.link('invite.mode.many').focus()
  await page.keyboard.press('Enter')
  await page.getByLabel(user.text('invite.source.paste')).focus()
  await paste(page, 'Vorname\tNachname\tE-Mail\r\nAnn\tLee\tann@x.example\r\nBo\tKerr\tbo@x.example\r\nCy\tOz\tcy@x.example\r\n')
  const send = page.getByRole('button', { name: user.text('invite.send', { count: 3 }) })
  await send.focus()
  await page.keyboard.press('Enter')
  await user.read('invite.done.title', { count: 3 })
  const focused = await page.evaluate(() => document.activeElement?.textContent)
  assert.equal(focused, user.text('invite.done.title', { count: 3 }))
  const csv = await saved(page, () => user.button('invite.done.save').click())
  assert.equal(csv.match(/\/take#inv_/g)?.length, 3)
  assert.match(csv, /Ann Lee,ann@x\.example/)
})

test('people who have attempted the assessment before are shown, and invited only by choice', async (t) => {
  const owner = await organization()
  const assessmentId = await owner.publish(kitchen)
  await finished(owner, assessmentId, 3)
  await ok(owner.api.PATCH('/v1/assessments/{id}', { params: { path: { id: assessmentId } }, body: { repeatRule: 'ASK' } }))
  const known = await ok(owner.api.GET('/v1/candidate-sessions', { params: { query: { assessmentId } } }))
  const path = { id: known[1]!.id }
  const body = { stateId: 'rejected' }
  await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/state', { params: { path }, body }))
  const user = await dashboard(t, owner, `/invite?assessment=${assessmentId}&many=1`)
  const { page } = user
  const rows = known.map(({ candidateName, candidateEmail }) => `${candidateName}\t${candidateEmail}`)
  await paste(page, ['Name\tE-mail', ...rows, 'New Person\tnew@x.example'].join('\n'))
  await user.read('invite.checked', { ready: '1', count: 4 })
  assert.equal(await page.locator('tr[data-state=BEFORE]').count(), 3)
  assert.equal(await page.locator('tr[data-state=READY]').count(), 1)
  const rejected = user.text('invite.before.state', { state: user.text('reviewState.rejected') })
  await page.locator('tr', { hasText: known[1]!.candidateName }).getByText(rejected, { exact: true }).waitFor()
  assert.equal(await page.getByText(rejected).count(), 1, 'nobody has decided about the others')
  await look(page, 'invite-again')
  await page.getByLabel(user.text('invite.before.again.row', { line: 2 })).check()
  await user.read('invite.checked', { ready: '2', count: 4 })
  await page.getByRole('button', { name: user.text('invite.send', { count: 2 }) }).click()
  await user.read('invite.done.title', { count: 2 })
  await user.read('invite.done.before', { count: 2 })
  assert.equal(await total(owner), 5)

  await page.goto(`${owner.baseUrl}/app/invite?assessment=${assessmentId}`)
  await page.getByLabel(user.text('invite.name')).fill(known[1]!.candidateName)
  await page.getByLabel(user.text('invite.email.address')).fill(known[1]!.candidateEmail)
  const again = page.getByLabel(user.text('invite.before.again'))
  await again.waitFor()
  await page.locator('.invite-before').getByText(rejected, { exact: true }).waitFor()
  await user.button('invite.one.submit').click()
  await page.getByText(user.text('invite.before.confirm')).waitFor()
  await look(page, 'invite-one-again')
  // The screen names the state also if it cannot load the list of states.
  await page.route('**/v1/review-states', (route) => route.abort())
  await page.reload()
  await page.getByText(user.text('invite.before.state', { state: 'rejected' })).waitFor()
  await page.unroute('**/v1/review-states')
  await again.check()
  await user.button('invite.one.submit').click()
  await user.read('invite.one.done', { name: known[1]!.candidateName })
  assert.equal(await total(owner), 6)

  await page.goto(`${owner.baseUrl}/app/assessments/${assessmentId}/settings`)
  await page.getByLabel(user.text('assessment.repeat.rule')).selectOption('AFTER_DAYS')
  await page.getByLabel(user.text('assessment.repeat.days')).fill('90')
  await look(page, 'settings-repeat')
  await user.button('assessment.repeat.save').click()
  await page.getByText(user.text('assessment.repeat.saved')).first().waitFor()
  const { repeatRule, repeatAfterDays } = await ok(
    owner.api.GET('/v1/assessments/{id}', { params: { path: { id: assessmentId } } }),
  )
  assert.deepEqual([repeatRule, repeatAfterDays], ['AFTER_DAYS', 90])
})

test('who may change the texts of emails gets from an invite to them, and keeps what was entered', async (t) => {
  const owner = await organization()
  const assessmentId = await owner.publish(eachType())
  const address = `/invite?assessment=${assessmentId}`
  const user = await dashboard(t, owner, address, { role: 'EDITOR', before: withEmail })
  await user.page.getByLabel(user.text('invite.name')).fill('Mei Lindqvist')
  await look(user.page, 'invite-texts')
  const [opened] = await Promise.all([user.page.waitForEvent('popup'), user.link('invite.email.texts').click()])
  await opened.getByRole('heading', { name: user.text('emailTexts.title') }).waitFor()
  await until(async () => assert.ok(await opened.locator('.email-texts').evaluate((part) => part === document.activeElement)))
  await until(async () => assert.ok(await opened.locator('.email-texts h2').evaluate((heading) => {
    const { top, bottom } = heading.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })))
  assert.equal(await user.page.getByLabel(user.text('invite.name')).inputValue(), 'Mei Lindqvist')

  const member = await dashboard(t, owner, address, { role: 'MEMBER', before: withEmail })
  await member.page.getByRole('checkbox', { name: member.text('invite.email') }).waitFor()
  assert.equal(await member.link('invite.email.texts').count(), 0)
})

/** look takes pictures of the page in two widths, light and dark, if PICTURES names a folder. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** 500 rows in the code page of Windows, with semicolons and quotes: five have faults, and two are duplicates. */
function table(): Buffer {
  const rows = Array.from({ length: 500 }, (_, i) => [`"Jürgen; ${i}"`, `person${i}@x.example`, `application-${i}`, ''])
  rows[10]![1] = 'person10'
  rows[20]![0] = ''
  rows[30]![3] = 'viel'
  rows[40]![3] = '900'
  rows[50]![1] = ''
  rows[60]![1] = 'PERSON1@x.example'
  rows[70]![1] = 'person2@x.example'
  const lines = ['Name;E-Mail-Adresse;Bewerber-ID;Zusatzzeit', ...rows.map((row) => row.join(';'))]
  return Buffer.from(lines.join('\r\n'), 'latin1')
}

for (const database of ['sqlite', 'postgres'] as const) {
  test(`of 500 rows with faults, the valid ones are invited (${database})`, async (t) => {
    const server = database === 'postgres' ? await startServer({ database }) : undefined
    if (server) t.after(() => server.stop())
    const owner = await organization({}, server?.url ?? sharedServer())
    const assessmentId = await owner.publish(eachType())
    await owner.invite(assessmentId, { candidateName: 'Jürgen; 0', candidateEmail: 'person0@x.example', externalId: 'application-0' })
    const user = await dashboard(t, owner, `/invite?assessment=${assessmentId}&many=1`)
    const { page } = user
    await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: table() })
    await user.read('invite.checked', { ready: '492', count: 500 })
    await page.getByRole('button', { name: user.text('invite.view.FAULTY') }).first().click()
    await page.getByText(user.text('invite.fault.candidateEmail.invalid_format')).waitFor()
    await page.getByText(user.text('invite.fault.extraTime')).waitFor()
    const faulty = await saved(page, () => user.button('invite.faults.save').click())
    assert.equal(faulty.trim().split('\r\n').length, 6)

    const field = page.getByLabel(user.text('invite.cell', { field: user.text('invite.column.email'), line: 12 }))
    await field.fill('person10@x.example')
    await user.read('invite.checked', { ready: '493', count: 500 })
    await until(async () => assert.equal(await field.evaluate((element) => element === document.activeElement), true))
    await page.getByRole('button', { name: user.text('invite.send', { count: 493 }) + user.text('invite.send.leftOut', { count: 7 }) }).click()
    await user.read('invite.done.title', { count: 493 })
    await user.read('invite.done.existing', { count: 1 })
    await user.read('invite.done.other', { count: 6 })
    assert.equal(await total(owner), 494)
    const csv = await saved(page, () => user.button('invite.done.save').click())
    assert.equal(csv.match(/\/take#inv_/g)?.length, 494)
    assert.ok(csv.includes('"Jürgen; 10",person10@x.example,application-10'))
  })
}

test('an interrupted invite of 600 people continues without duplicates', async (t) => {
  const owner = await organization()
  const assessmentId = await owner.publish(eachType())
  const { link, settings } = await signedIn(owner, `/invite?assessment=${assessmentId}&many=1`)
  const { page, context } = await open(t, link, settings)
  const user = new User(page)
  const rows = Array.from({ length: 600 }, (_, i) => `Person ${i}\tperson${i}@x.example`)
  await paste(page, rows.join('\n'))
  await user.read('invite.checked', { ready: '600', count: 600 })
  // The server runs the second batch, and its response is lost.
  let sent = 0
  let arrived: () => void = () => undefined
  const second = new Promise<void>((done) => (arrived = done))
  await page.route('**/candidate-sessions/bulk', async (route) => {
    if (++sent === 1) return route.continue()
    if (sent === 2) {
      await route.fetch()
      arrived()
    }
    return route.abort()
  })
  await page.getByRole('button', { name: user.text('invite.send', { count: 600 }) }).click()
  await second
  assert.equal(await total(owner), 600)
  const other = new User((await open(t, link, { context })).page)
  await page.close()
  await other.read('invite.interrupted.title')
  await other.button('invite.interrupted.continue').click()
  await other.read('invite.done.title', { count: 600 })
  assert.equal(await total(owner), 600)
  await other.button('invite.done.again').click()
  await other.read('invite.assessment')
})

test('a workbook gets advice, and addresses of a mail program are enough', async (t) => {
  const owner = await organization()
  const assessmentId = await owner.publish(eachType())
  const user = await dashboard(t, owner, `/invite?assessment=${assessmentId}&many=1`)
  const { page } = user
  const workbook = { name: 'people.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from('PK\u0003\u0004') }
  await page.locator('input[type=file]').setInputFiles(workbook)
  await page.getByText(user.text('invite.source.workbook')).waitFor()
  await paste(page, 'Ann Lee <ann@x.example>\n"Kerr, Bo" <bo@x.example>')
  await user.read('invite.checked', { ready: '2', count: 2 })
})
