// What the dashboard keeps in the browser ends with the sign-out, with another person, and with its age.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, organization, type Organization } from './support/api.ts'
import { eachType, numeric } from './support/assessments.ts'
import { bank } from './support/bank.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard, startSession, type User } from './support/dashboard.ts'
import { abort } from './support/network.ts'
import { until } from './support/until.ts'
import { table } from '../src/app/storage/table.ts'

after(disconnect)

const source = readFileSync(join(import.meta.dirname, '../src/app/screens.ts'), 'utf8')
const screens = [...source.matchAll(/^ {2}'(\/[^']*)': screen/gm)].map((match) => match[1]!)

interface Kept {
  local: Record<string, string>
  session: Record<string, string>
  /** Whether each document of the editor is unsaved. */
  documents: boolean[]
  caches: string[]
  workers: number
  cookies: string[]
}

/** Everything that the browser keeps for the page. */
async function kept(page: Page): Promise<Kept> {
  const found = await page.evaluate(async () => {
    const documents: boolean[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((done) => {
        const request = indexedDB.open(name!)
        request.onsuccess = () => done(request.result)
      })
      for (const store of database.objectStoreNames) {
        const rows = await new Promise<{ isDirty: boolean }[]>((done) => {
          const request = database.transaction(store).objectStore(store).getAll()
          request.onsuccess = () => done(request.result as { isDirty: boolean }[])
        })
        documents.push(...rows.map(({ isDirty }) => isDirty))
      }
      database.close()
    }
    return {
      local: { ...localStorage },
      session: { ...sessionStorage },
      documents,
      caches: await caches.keys(),
      workers: (await navigator.serviceWorker.getRegistrations()).length,
    }
  })
  const cookies = (await page.context().cookies()).map(({ name }) => name)
  return { ...found, cookies }
}

const nothing: Kept = { local: {}, session: {}, documents: [], caches: [], workers: 0, cookies: [] }

/** The names of the table that the browser has, as "draft". */
async function names(page: Page): Promise<string[]> {
  const { local, session, documents } = await kept(page)
  const keys = [...Object.keys(local), ...Object.keys(session)].map((key) => /^assay\.([\w-]+)/.exec(key)?.[1] ?? key)
  return [...new Set([...keys, ...(documents.length > 0 ? ['editor'] : [])])].sort()
}

async function clickSignOut(user: User): Promise<void> {
  await user.page.locator('.account > summary').click()
  await user.page.locator('.account').getByRole('button', { name: user.text('nav.signOut') }).click()
}

/** Types into the first fields of each form of the screen. */
async function fill(page: Page): Promise<void> {
  const fields = page.locator('main form').locator('input[type=text], input[type=email], input:not([type]), textarea')
  for (let i = 0; i < Math.min(3, await fields.count()); i++) {
    const field = fields.nth(i)
    if ((await field.isVisible()) && (await field.isEditable())) await field.fill('mei@candidate.example')
  }
}

/** Leaves a change in the editor that the server does not have. */
async function edit(user: User, id: string): Promise<void> {
  const { page } = user
  await abort(page, `/v1/assessments/${id}`, { method: 'PATCH' })
  await user.button('editor.question.edit', { number: 1 }).click()
  await page.locator('.editor-form [data-place$="/prompt"]').fill('Unsaved question?')
  await until(async () => assert.ok((await kept(page)).documents.includes(true)))
}

/** Pastes people, and loses the connection after the first 500. */
async function interruptImport(page: Page, user: User): Promise<void> {
  await page.locator('textarea').evaluate((field) => {
    const clipboardData = new DataTransfer()
    const rows = Array.from({ length: 900 }, (_, i) => `Person ${i}\tperson${i}@x.example`)
    clipboardData.setData('text/plain', rows.join('\n'))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await user.read('invite.checked', { ready: '900', count: 900 })
  // The check before has sent rows to the same address.
  let sent = 0
  await page.route('**/candidate-sessions/bulk', (route) => (++sent === 1 ? route.continue() : route.abort()))
  await page.getByRole('button', { name: user.text('invite.send', { count: 900 }) }).click()
  await until(async () => assert.ok(sent > 1))
}

interface Prepared {
  made: Organization
  draft: string
  published: string
  ids: Record<string, string>
}

async function prepare(): Promise<Prepared> {
  const made = await organization()
  const published = await made.publish(eachType())
  const { sessionId } = await made.invite(published)
  const { id: draft } = await ok(
    made.api.POST('/v1/assessments', { body: { title: 'Line cook', stages: [{ title: 'One', questions: [numeric] }] } }),
  )
  const endpoint = { url: 'https://hooks.example/', events: ['candidate.completed' as const] }
  const { id: webhook } = await ok(made.api.POST('/v1/webhooks', { body: endpoint }))
  await ok(made.api.DELETE('/v1/webhooks/{id}', { params: { path: { id: webhook } } }))
  const { id: questions } = await bank(made, numeric)
  return { made, draft, published, ids: { assessments: published, candidates: sessionId, questions } }
}

/** Fills every kind of storage that the table declares. */
async function fillAll(t: Parameters<typeof dashboard>[0], { made, draft, published }: Prepared, user: User): Promise<void> {
  const { page } = user
  await page.locator('.account > summary').click()
  await page.locator('.account select').selectOption('en')
  await user.button('home.webhook.dismiss').click()
  const importing = await dashboard(t, made, `/invite?assessment=${published}&many=1`, { context: page.context() })
  await interruptImport(importing.page, importing)
  const { local } = await kept(page)
  const job = Object.entries(local).find(([key]) => key.startsWith('assay.invite'))![1]
  assert.match(job, /person899@x\.example/)
  assert.doesNotMatch(job, /inv_|https?:/, 'a link is a credential')
  await importing.page.close()

  await page.goto(`${made.baseUrl}/app/assessments/${draft}/edit`)
  await edit(user, draft)
  // An email can be planned only where the service sends some.
  await page.evaluate(() => {
    const id = localStorage.getItem('assay.owner')!
    const value = [{ id: 'emb_1', count: 2, sendAt: new Date(Date.now() + 3_600_000).toISOString() }]
    sessionStorage.setItem(`assay.planned ${id}`, JSON.stringify({ at: Date.now(), value }))
    // A version before this table kept addresses and links here.
    localStorage.setItem(`assay.invite.${id}`, '{"outcomes":[{"link":"https://x.example/take#inv_1"}]}')
  })
  await page.goto(`${made.baseUrl}/app/profile`)
  await page.locator('main form input').first().waitFor()
  await fill(page)
  await until(async () => assert.deepEqual(await names(page), Object.keys(table).sort()))
}

describe('After the sign-out', { concurrency: 2 }, () => {
  test('the browser keeps nothing of any screen', async (t) => {
    const prepared = await prepare()
    const { made, ids } = prepared
    const user = await dashboard(t, made)
    const { page } = user
    await fillAll(t, prepared, user)
    assert.ok(screens.length > 15)
    for (const path of screens) {
      const id = path === '/assessments/:id/edit' ? prepared.draft : (ids[path.split('/')[1]!] ?? 'none')
      await page.goto(`${made.baseUrl}/app${path.replace(':id', id)}`)
      await page.locator('main h1').first().waitFor()
      await fill(page)
    }
    const other = await dashboard(t, made, '/assessments/new', { context: page.context() })
    await other.page.locator('main form [name=title]').fill('Sommelier')
    await until(async () => assert.match(JSON.stringify((await kept(other.page)).session), /Sommelier/))

    await page.goto(`${made.baseUrl}/app/profile`)
    await page.locator('main form input').first().waitFor()
    await clickSignOut(user)
    const question = page.getByRole('dialog')
    await question.getByText(user.text('signOut.assessments', { count: 1 })).waitFor()
    await question.getByText(user.text('signOut.candidates', { count: 400 })).waitFor()
    const before = await names(page)
    await question.getByRole('button', { name: user.text('dialog.cancel') }).click()
    await question.waitFor({ state: 'detached' })
    assert.deepEqual(await names(page), before, 'nothing is lost without a yes')

    await clickSignOut(user)
    await user.button('signOut.go').click()
    await user.see('signIn.title')
    await other.see('signIn.title')
    const allowed = { ...nothing, local: { 'assay.language': 'en' } }
    await until(async () => assert.deepEqual(await kept(page), allowed))
    await until(async () => assert.deepEqual(await kept(other.page), allowed))
    // The editor and the forms do not write when they are left.
    await page.reload()
    await user.see('signIn.title')
    assert.deepEqual(await kept(page), allowed)
  })

  test('nothing is asked if nothing is unsaved', async (t) => {
    const user = await dashboard(t, await organization())
    await user.see('home.title')
    assert.deepEqual(await names(user.page), ['owner'])
    await clickSignOut(user)
    await user.see('signIn.title')
    assert.deepEqual(await kept(user.page), nothing)
  })

  test('a tab that the browser restores later is cleared, too', async (t) => {
    const { made } = await prepare()
    const user = await dashboard(t, made, '/assessments/new')
    const { page } = user
    await page.locator('main form [name=title]').fill('Sommelier')
    await until(async () => assert.deepEqual(await names(page), ['draft', 'owner']))
    // Another tab has signed out while this one was not in memory.
    await page.goto('about:blank')
    const other = await dashboard(t, made, '/', { context: page.context() })
    await clickSignOut(other)
    await other.see('signIn.title')
    await page.goto(`${made.baseUrl}/app/sign-in`)
    await user.see('signIn.title')
    await until(async () => assert.deepEqual(await kept(page), nothing))
  })
})

describe('A sign-in that ends without a sign-out', { concurrency: 2 }, () => {
  test('leaves unsaved work to the same person, and nothing to another one', async (t) => {
    const prepared = await prepare()
    const { made, draft } = prepared
    const user = await dashboard(t, made)
    const { page } = user
    await fillAll(t, prepared, user)
    await page.context().clearCookies()
    await page.reload()
    await user.see('signIn.title')
    const unsaved = ['draft', 'editor', 'invite', 'language', 'owner', 'webhook-step']
    await until(async () => assert.deepEqual(await names(page), unsaved))

    await startSession(page.context(), made.baseUrl, made.owner)
    await page.unrouteAll()
    await page.goto(`${made.baseUrl}/app/assessments/${draft}/edit`)
    await page.locator('.editor-state[data-state=saved]').waitFor()
    const { stages } = await ok(made.api.GET('/v1/assessments/{id}', { params: { path: { id: draft } } }))
    assert.equal(stages[0]!.questions[0]!.prompt, 'Unsaved question?')
    await page.goto(`${made.baseUrl}/app/invite`)
    await user.button('invite.interrupted.continue', { count: 400 }).click()
    await user.read('invite.done.title', { count: 900 })
    // The browser has kept no link, and the server has repeated the links of the first request.
    const [file] = await Promise.all([page.waitForEvent('download'), user.button('invite.done.save').click()])
    assert.equal((await text(await file.createReadStream())).match(/#inv_/g)?.length, 900)
    await page.goto(`${made.baseUrl}/app/assessments/new`)
    await page.locator('main form [name=title]').fill('Sommelier')
    await until(async () => assert.ok((await names(page)).includes('draft')))

    await page.context().clearCookies()
    await startSession(page.context(), made.baseUrl, await colleague(made, 'ADMIN'))
    await page.goto(`${made.baseUrl}/app/profile`)
    await page.locator('main form input').first().waitFor()
    await until(async () => assert.deepEqual(await names(page), ['language', 'owner']))
    assert.deepEqual((await kept(page)).documents, [])
  })

  test('leaves nothing if there is no unsaved work', async (t) => {
    const user = await dashboard(t, await organization())
    await user.see('home.title')
    await user.page.context().clearCookies()
    await user.page.reload()
    await user.see('signIn.title')
    await until(async () => assert.deepEqual(await kept(user.page), nothing))
  })

  test('another person who answers the question for the password removes everything', async (t) => {
    const made = await organization()
    const user = await dashboard(t, made, '/assessments/new')
    const { page } = user
    await page.locator('main form [name=title]').fill('Sommelier')
    await until(async () => assert.deepEqual(await names(page), ['draft', 'owner']))
    await ok(made.api.DELETE('/v1/me/sign-ins'))
    await page.locator('.wide-nav').getByRole('link', { name: user.text('nav.candidates'), exact: true }).click()
    await user.dialog('signIn.again').waitFor()
    assert.deepEqual(await names(page), ['draft', 'owner'])
    await user.button('signIn.again.other').click()
    await user.see('signIn.title')
    await until(async () => assert.deepEqual({ ...(await kept(page)), cookies: [] }, nothing))
  })
})

test('What is older than its age is not shown, and is removed', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, '/assessments/new')
  const { page } = user
  const title = page.locator('main form [name=title]')
  await title.fill('Sommelier')
  await until(async () => assert.deepEqual(await names(page), ['draft', 'owner']))
  const age = (days: number) =>
    page.evaluate((days) => {
      for (const [key, item] of Object.entries({ ...sessionStorage })) {
        const { value } = JSON.parse(item as string) as { value: unknown }
        sessionStorage.setItem(key, JSON.stringify({ at: Date.now() - days * 86_400_000, value }))
      }
    }, days)
  await age(6.9)
  await page.reload()
  await until(async () => assert.equal(await title.inputValue(), 'Sommelier'))
  await age(7.1)
  await page.reload()
  await title.waitFor()
  await until(async () => assert.deepEqual(await names(page), ['owner']))
  assert.equal(await title.inputValue(), '')
})
