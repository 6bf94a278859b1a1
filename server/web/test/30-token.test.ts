// The token of the link: kept in the browser until the end, and shown nowhere.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually, invited } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { sharedServer } from './support/server.ts'
import { t as words } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

/** What the browser keeps for the page, as text. */
const keptIn = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((done, failed) => {
      const request = indexedDB.open('assay-take')
      request.onsuccess = () => done(request.result)
      request.onerror = () => failed(request.error)
    })
    const rows = await Promise.all(
      [...database.objectStoreNames].map(
        (name) =>
          new Promise((done) => {
            const request = database.transaction(name).objectStore(name).getAll()
            request.onsuccess = () => done(request.result)
          }),
      ),
    )
    database.close()
    return JSON.stringify(rows)
  })

test('30: The token is kept until the end, and the page offers to continue without the link', async (t) => {
  const invite = await invited(eachType())
  const first = await open(t, invite.link)
  const candidate = new Candidate(first.page)
  await candidate.startButton().waitFor()
  assert.equal(first.page.url(), `${sharedServer()}/take`)
  const texts = await first.page.evaluate(() => document.title + document.documentElement.outerHTML)
  assert.ok(!texts.includes(invite.token))
  assert.ok((await keptIn(first.page)).includes(invite.token))

  // A new tab without the link.
  const second = await open(t, `${sharedServer()}/take`, { context: first.context })
  const other = new Candidate(second.page)
  await other.see('continue.title', { name: invite.candidateName })
  await second.page.getByText('Line cook: food safety').waitFor()
  await checkAxe(second.page, 'continue')
  await other.button('continue.other').click()
  await other.see('link.missing.title')
  await second.page.reload()
  await other.button('continue.yes').click()
  await other.startButton().waitFor()
  await second.page.close()

  await candidate.start()
  await candidate.answerEachType()
  await candidate.submitStage()
  await candidate.seeEnd()
  await eventually(
    () => keptIn(first.page),
    (kept) => !kept.includes(invite.token),
  )
  await first.page.reload()
  await candidate.seeEnd()

  for (const address of [...first.requests, ...second.requests]) assert.ok(!address.includes(invite.token), address)
  await first.page.goBack().catch(() => null)
  assert.ok(!first.page.url().includes(invite.token))
})

test('30: Another link in the address of the open page opens that assessment', async (t) => {
  const one = await invited(eachType())
  const { page, context } = await open(t, one.link)
  const candidate = new Candidate(page)
  await candidate.start()
  const two = await invited(eachType({ title: 'Baker: doughs' }), { invite: { candidateName: 'Tomás Ferreira' } })
  await page.evaluate((link) => {
    location.href = link
  }, two.link)
  await candidate.startButton().waitFor()
  await until(async () => assert.equal(await candidate.headingText(), 'Baker: doughs'))
  assert.equal(new URL(page.url()).hash, '')

  const tab = await open(t, `${sharedServer()}/take`, { context })
  await new Candidate(tab.page).see('continue.several')
  await checkAxe(tab.page, 'continue, several')
  await tab.page
    .getByRole('button', { name: words('continue.one', { title: 'Line cook: food safety', name: one.candidateName }) })
    .click()
  await new Candidate(tab.page).seeQuestion(1)
})
