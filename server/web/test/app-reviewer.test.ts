// A person with the role REVIEWER: what the dashboard shows, and how somebody becomes one.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { judged } from './app_states/reviewer.ts'
import { ok } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard } from './support/dashboard.ts'
import { gradedElsewhere, guest, submitted } from './support/grading.ts'
import { until } from './support/until.ts'

after(disconnect)

const source = readFileSync(join(import.meta.dirname, '../src/app/screens.ts'), 'utf8')
const paths = new Set([...source.matchAll(/^ {2}'(\/[^']*)': screen\(/gm)].map((match) => match[1]!))

/** Opens a screen as a link does, and waits until it has its heading and its data. */
async function show(page: Page, address: string): Promise<void> {
  await page.evaluate(async (address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  }, address)
  await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('.bone'))
}

test('A reviewer decides what waits without names, and has no other screen', async (t) => {
  const { made, reviewer, invites } = await judged(2)
  const user = await dashboard(t, made, '/', { person: reviewer })
  const { page } = user
  const faults: string[] = []
  page.on('response', (response) => {
    const url = response.url()
    if (url.includes('/v1/') && response.status() >= 400) faults.push(`${response.status()} ${url}`)
  })
  const main = page.locator('main')
  const says = async () => {
    const content = (await main.textContent())!
    assert.doesNotMatch(content, /Mei Lindqvist|Ada Byron|Head chef|@/)
    return content
  }
  await page.getByText('Night porter').first().waitFor()
  await says()
  assert.equal(await main.getByRole('link', { name: 'Night porter' }).count(), 2)
  const links = await page.locator('.wide-nav').getByRole('link').evaluateAll((all) => all.map(({ textContent }) => textContent))
  assert.deepEqual(links, [user.text('nav.home'), user.text('nav.grading')])

  for (const path of paths) {
    if (['/', '/profile', '/candidates/:id', '/grading'].includes(path)) continue
    await show(page, `${made.baseUrl}/app${path.replace(':id', 'asm_01m8cyrp41rc4vg6vne0kmgjxh')}`)
    assert.equal(await page.locator('h1').textContent(), user.text('page.noAccess.title'), path)
  }
  assert.deepEqual(faults, [])
  await show(page, `${made.baseUrl}/app/profile`)
  await page.getByText(user.text('profile.role.REVIEWER')).first().waitFor()

  // One candidate goes on, and the assessment ends for the other one.
  for (const decision of ['decision.pass', 'decision.stop']) {
    await show(page, `${made.baseUrl}/app`)
    await main.getByRole('link', { name: 'Night porter' }).first().click()
    await user.button(decision).click()
    await says()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Careful work')
    await dialog.getByRole('button', { name: user.pattern(decision) }).click()
    await user.read('judging.over.title')
    await says()
  }
  await page.getByRole('link', { name: user.text('judging.over.next') }).click()
  await user.read('judging.none.title')
  assert.deepEqual(faults, [])
  const statuses = await Promise.all(
    invites.map(async ({ sessionId }) => {
      const params = { path: { id: sessionId } }
      return (await ok(made.api.GET('/v1/candidate-sessions/{id}', { params }))).status
    }),
  )
  assert.deepEqual(statuses.sort(), ['DISQUALIFIED', 'IN_PROGRESS'])
})

test('A reviewer grades in the queue without names, and reads who can change a grade that is final', async (t) => {
  const { made, assessmentId, reviewer } = await judged(0)
  const stages = [{ title: 'Only', questions: [guest] }]
  const id = await made.publish({ title: 'Guests', stages, grading: { blind: false } })
  const sessions = await submitted(made, id, 2)
  const member = (await ok(made.api.GET('/v1/members'))).find(({ email }) => email === reviewer.email)!
  const params = { path: { id: member.id } }
  const body = { role: 'REVIEWER' as const, assessmentIds: [assessmentId, id] }
  await ok(made.api.PATCH('/v1/members/{id}', { params, body }))
  const user = await dashboard(t, made, '/', { person: reviewer, allow: [/status of 409/] })
  const { page } = user
  await page.getByRole('link', { name: user.text('judging.grade') }).click()
  await user.link('grading.start').click()
  const field = page.locator('#grading-0')
  assert.equal(await page.getByText(/Candidate \d/).count(), 0)
  const answer = page.locator('.grading-text')
  const first = await answer.innerText()
  await field.fill('4')
  await field.press('Enter')
  await until(async () => assert.notEqual(await answer.innerText(), first))
  await until(async () => assert.equal(await field.getAttribute('readonly'), null))
  await gradedElsewhere(made, sessions, first)
  await page.getByRole('button', { name: user.text('grading.undo') }).click()
  await user.read('grading.undo.reviewer')
  assert.equal(await page.getByRole('main').locator('.note a').count(), 0)
  await page.goto(`${made.baseUrl}/app/grading`)
  await user.read('grading.due')
  assert.equal(await page.getByRole('link', { name: user.text('grading.agreement.link') }).count(), 0)
})

test('An owner invites a reviewer, and makes people reviewers and members again', async (t) => {
  const { made, assessmentId } = await judged(0)
  await colleague(made, 'EDITOR', { name: 'Jonas Weber' })
  const user = await dashboard(t, made, '/members?dialog=invite')
  const { page } = user
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: user.text('members.role.REVIEWER') }).check()
  await dialog.getByRole('textbox', { name: user.text('members.name') }).fill('Priya Raghunathan')
  await dialog.getByRole('textbox', { name: user.text('members.email') }).fill('priya@harbour-kitchens.example')
  assert.equal(await dialog.getByRole('radio', { name: user.text('members.access.all') }).count(), 0)
  await user.button('members.invite.submit').click()
  await dialog.getByText(user.text('members.access.choose')).waitFor()
  await dialog.getByRole('checkbox', { name: 'Night porter' }).check()
  await user.button('members.invite.submit').click()
  await user.dialog('members.link.title').getByRole('button', { name: user.text('members.link.done') }).click()

  const members = async (name: string) => {
    const found = (await ok(made.api.GET('/v1/members'))).find((member) => member.name === name)!
    return [found.role, found.assessmentIds]
  }
  assert.deepEqual(await members('Priya Raghunathan'), ['REVIEWER', [assessmentId]])

  const select = user.row('Jonas Weber').getByRole('combobox')
  await select.selectOption('REVIEWER')
  await page.getByRole('checkbox', { name: 'Night porter' }).check()
  await user.button('members.access.save').click()
  await until(async () => assert.deepEqual(await members('Jonas Weber'), ['REVIEWER', [assessmentId]]))
  // The assessments stay, so that nobody sees more by accident.
  await until(async () => assert.equal(await select.inputValue(), 'REVIEWER'))
  await select.selectOption('MEMBER')
  await until(async () => assert.deepEqual(await members('Jonas Weber'), ['MEMBER', [assessmentId]]))
  await user.button('members.undo').first().click()
  await until(async () => assert.deepEqual(await members('Jonas Weber'), ['REVIEWER', [assessmentId]]))
  await until(async () => assert.equal(await select.inputValue(), 'REVIEWER'))
  await select.selectOption('EDITOR')
  await until(async () => assert.deepEqual(await members('Jonas Weber'), ['EDITOR', null]))
})
