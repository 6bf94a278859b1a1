// Each role on each screen.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, organization, type Organization } from './support/api.ts'
import { long, singleChoice } from './support/assessments.ts'
import { bank } from './support/bank.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard, type Role } from './support/dashboard.ts'
import { inviteMember } from './support/member.ts'
import { until } from './support/until.ts'

after(disconnect)

const source = readFileSync(join(import.meta.dirname, '../src/app/screens.ts'), 'utf8')
const paths = [...source.matchAll(/^ {2}'(\/[^']*)': screen/gm)].map((match) => match[1]!)

/** An organization with something on each screen. */
async function filled(): Promise<{ made: Organization; addressOf(path: string): string }> {
  const made = await organization()
  const { api } = made
  const assessmentId = await made.publish(long(3))
  const { sessionId } = await made.invite(assessmentId)
  const { id: webhookId } = await ok(
    api.POST('/v1/webhooks', { body: { url: 'https://hooks.example/', events: ['candidate.completed'] } }),
  )
  await ok(api.POST('/v1/api-keys', { body: { name: 'ATS', scopes: ['candidates:read'] } }))
  await inviteMember(made)
  const { id: questions } = await bank(made, singleChoice)
  const ids: Record<string, string> = {
    assessments: assessmentId, candidates: sessionId, webhooks: webhookId, questions,
  }
  const addressOf = (path: string) => `${made.baseUrl}/app${path}`.replace(':id', ids[path.split('/')[1]!] ?? '')
  return { made, addressOf: (path) => addressOf(path === '/' ? '' : path) }
}

/** Opens a screen as a link does, and waits until it has its heading and its data. */
async function show(page: Page, address: string): Promise<void> {
  await page.evaluate(async (address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  }, address)
  await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('.bone'))
}

describe('Each role opens each screen', { concurrency: 3 }, () => {
  for (const role of ['OWNER', 'ADMIN', 'EDITOR', 'MEMBER'] as const) {
    test(role, async (t) => {
      assert.ok(paths.length > 15, `found ${paths.length} screens`)
      const { made, addressOf } = await filled()
      const person = role === 'OWNER' ? made.owner : await colleague(made, role)
      const { page } = await dashboard(t, made, '/profile', { person })
      const faults: string[] = []
      let path = ''
      let isPressing = false
      page.on('response', (response) => {
        if ([403, 404].includes(response.status())) faults.push(`${path}: ${response.status()} ${response.url()}`)
      })
      page.on('request', (request) => {
        if (isPressing && request.method() !== 'GET' && request.url().includes('/v1/')) {
          faults.push(`${path}: a disabled action sends ${request.method()} ${request.url()}`)
        }
      })
      for (path of paths) {
        await show(page, addressOf(path))
        isPressing = true
        faults.push(...(await pressDisabled(page)).map((fault) => `${path}: ${fault}`))
        isPressing = false
      }
      assert.deepEqual(faults, [])
      await checkMembers(page, addressOf('/members'), role)
    })
  }
})

/** Presses the disabled buttons of a screen. Returns the buttons that do not say why they are disabled. */
async function pressDisabled(page: Page): Promise<string[]> {
  const faults: string[] = []
  const buttons = page.locator('main button[aria-disabled=true]:visible')
  for (let i = 0; i < (await buttons.count()); i++) {
    const button = buttons.nth(i)
    const name = (await button.textContent()) ?? ''
    const reason = (await button.getAttribute('title')) ?? (await button.getAttribute('aria-description'))
    if (!reason) faults.push(`the disabled button "${name}" has no reason`)
    await button.click({ force: true })
  }
  return faults
}

/** What each role can do in the list of members. */
async function checkMembers(page: Page, address: string, role: Role): Promise<void> {
  const manages = role === 'OWNER' || role === 'ADMIN'
  await show(page, address)
  const invite = page.getByRole('button', { name: 'Invite a person' })
  await until(async () => assert.equal(await invite.getAttribute('aria-disabled'), String(!manages)))
  const owner = page.getByRole('row').filter({ hasText: 'Samin Okafor' })
  assert.equal(await owner.getByRole('combobox').count(), 0, 'the last owner stays an owner')
  const invited = page.getByRole('row').filter({ hasText: 'Invited' })
  await until(async () => assert.equal(await invited.getByRole('combobox').count(), manages ? 1 : 0))
  if (!manages) return
  const option = invited.getByRole('option', { name: 'Owner' })
  await until(async () => assert.equal(await option.isDisabled(), role === 'ADMIN', 'only owners make owners'))
}

describe('What the roles permit', () => {
  const folder = join(import.meta.dirname, '..')
  const roleOf: Record<string, string> = JSON.parse(readFileSync(join(folder, '../../gen/roles.gen.json'), 'utf8'))
  const source = readFileSync(join(folder, 'src/app/members/permissions.tsx'), 'utf8')
  const table = source.slice(source.indexOf('export const operations'), source.indexOf('} as const'))
  const sentences = [...table.matchAll(/^ {2}(\w+): \[([^\]]*)\]/gm)].map(
    ([, name, list]) => [name!, [...list!.matchAll(/'(\w+)'/g)].map((match) => match[1]!)] as const,
  )

  test('Each operation of a person is in one sentence', () => {
    const said = sentences.flatMap(([, list]) => list)
    assert.deepEqual([...said].sort(), Object.keys(roleOf).sort())
  })

  test('The operations of a sentence need the same role', () => {
    for (const [name, list] of sentences) assert.equal(new Set(list.map((id) => roleOf[id])).size, 1, name)
  })

  test('The list of members and the invitation say what each role can do', async (t) => {
    const made = await organization()
    const user = await dashboard(t, made, '/members')
    await user.read('members.can.erase')
    await user.button('members.invite').first().click()
    const dialog = user.dialog('members.invite.title')
    await dialog.getByText(user.text('members.can.sessions')).waitFor()
    await dialog.getByRole('radio', { name: user.text('members.role.EDITOR') }).check()
    await dialog.getByText(user.text('members.can.write')).waitFor()
    assert.equal(await dialog.getByText(user.text('members.can.erase')).count(), 0)
  })
})

const withoutId = (content: string | null) => content!.replace(/req_\w+/, '')

test('A limited member sees one assessment, and opens each screen of the menu', async (t) => {
  const made = await organization()
  const seen = await made.publish({ ...long(3), title: 'Night porter' })
  const hidden = await made.publish({ ...long(3), title: 'Head chef' })
  await made.invite(seen, { candidateName: 'Mei Lindqvist' })
  const { sessionId: hiddenSession } = await made.invite(hidden, { candidateName: 'Ada Byron' })
  const person = await colleague(made, 'MEMBER', { name: 'Lena Brandt' })

  const owner = await dashboard(t, made, '/members')
  const row = owner.page.getByRole('row').filter({ hasText: 'Lena Brandt' })
  await row.getByRole('button', { name: owner.text('members.access.all') }).click()
  const dialog = owner.page.getByRole('dialog')
  await dialog.getByRole('radio', { name: owner.text('members.access.some') }).check()
  await dialog.getByRole('checkbox', { name: 'Night porter' }).check()
  await dialog.getByRole('button', { name: owner.text('members.access.save') }).click()
  await row.getByRole('button', { name: '1 assessment' }).waitFor()

  const { page } = await dashboard(t, made, '/', { person })
  const faults: string[] = []
  page.on('response', (response) => {
    if ([403, 404].includes(response.status())) faults.push(`${response.status()} ${response.url()}`)
  })
  const menu = page.locator('.wide-nav')
  await menu.getByRole('link', { name: 'Candidates' }).waitFor()
  assert.equal(await menu.getByRole('link', { name: 'Members' }).count(), 0)
  assert.equal(await menu.getByRole('link', { name: 'Webhooks' }).count(), 0)
  const links = await menu.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
  for (const link of links) {
    await show(page, made.baseUrl + link)
    const content = await page.locator('main').textContent()
    assert.ok(!/Head chef|Ada Byron/.test(content!), `${link}: ${content}`)
  }
  assert.deepEqual(faults, [])
  await show(page, `${made.baseUrl}/app/candidates`)
  await page.getByText('Mei Lindqvist').first().waitFor()

  // The address of a hidden screen gives the same response as an address that never existed.
  const said = []
  for (const path of [`/candidates/${hiddenSession}`, `/assessments/${hidden}`, '/members', '/webhooks']) {
    await show(page, `${made.baseUrl}/app${path}`)
    said.push(withoutId(await page.locator('main').textContent()))
  }
  const never = []
  for (const path of ['/candidates/ses_01m8cyrp41rc4vg6vne0kmgjxh', '/assessments/asm_01m8cyrp41rc4vg6vne0kmgjxh']) {
    await show(page, `${made.baseUrl}/app${path}`)
    never.push(withoutId(await page.locator('main').textContent()))
  }
  assert.deepEqual(said.slice(0, 2), never)
})
