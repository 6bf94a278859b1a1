// Answers survive a bad network, a crash, and leaving.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Dialog, Page } from 'playwright-core'
import { eventually, organization, savedAnswers, type Assessment } from './support/api.ts'
import { eachType, long } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { awaitAnnouncement } from './support/live.ts'
import { abort, answer, hold, requestsTo, setOffline } from './support/network.ts'
import { open } from './support/page.ts'
import { t as message } from './support/texts.ts'

after(disconnect)

const answers = '/v1/candidate/session/answers'

// One organization is enough, and registering many at once would make the server busy.
const owner = organization()
const invited = async (assessment: Assessment) => {
  const made = await owner
  return { ...(await made.invite(await made.publish(assessment))), organization: made }
}

/** What the browser keeps. */
function keptRows(page: Page): Promise<unknown[]> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((done) => {
      const request = indexedDB.open('assay-take')
      request.onsuccess = () => done(request.result)
    })
    const stores = [...database.objectStoreNames]
    const all = stores.map(
      (name) =>
        new Promise<unknown[]>((done) => {
          const request = database.transaction(name).objectStore(name).getAll()
          request.onsuccess = () => done(request.result)
        }),
    )
    const rows = (await Promise.all(all)).flat()
    database.close()
    return rows
  })
}

describe('a bad network', { concurrency: true }, () => {
  test('14: Answers entered offline survive a crash of the page, and nothing is kept after the end', async (t) => {
    const invite = await invited(eachType())
    const { page, context } = await open(t, invite.link, { allow: [/the page crashed/] })
    const candidate = new Candidate(page)
    await candidate.start()
    await abort(page, '/v1/')
    await candidate.choose('57 °C')
    await candidate.next()
    await candidate.choose('Garlic in oil')
    await candidate.next()
    await candidate.type('74.5')
    const session = await context.newCDPSession(page)
    void session.send('Page.crash').catch(() => undefined)
    await page.waitForEvent('crash')
    assert.deepEqual(await savedAnswers(invite), [null, null, null, null])

    const again = await open(t, invite.link, { context })
    const returned = new Candidate(again.page)
    await returned.seeQuestion(3)
    await returned.seeSaved()
    assert.deepEqual(await savedAnswers(invite), [{ optionId: 'b' }, { optionIds: ['garlic'] }, { number: 74.5 }, null])
    assert.notDeepEqual(await keptRows(again.page), [])
    await returned.submitStage()
    await returned.seeEnd()
    await eventually(
      () => keptRows(again.page),
      (rows) => rows.length === 0,
    )
    await page.close()
  })

  test('14: When the browser cannot keep answers, the page says so, and sends them from memory', async (t) => {
    const invite = await invited(eachType())
    const { page } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError')
      }
    })
    const restore = await abort(page, answers)
    await candidate.choose('57 °C')
    await page.getByText(candidate.pattern('offline.notKept')).waitFor()
    await checkAxe(page, 'answers are in memory only')
    await candidate.next()
    await candidate.choose('Cut melon')
    await restore()
    await page.getByRole('banner').getByText(candidate.pattern('save.saved')).waitFor()
    await page.getByText(candidate.pattern('offline.notKept')).waitFor({ state: 'detached' })
    assert.deepEqual((await savedAnswers(invite)).slice(0, 2), [{ optionId: 'b' }, { optionIds: ['melon'] }])
  })

  for (const [name, status, retryAfter] of [
    ['busy', 429, 3],
    ['down', 503, 3],
  ] as const) {
    test(`15: A server that is ${name} is offline, its Retry-After is obeyed, and all is saved later`, async (t) => {
      const invite = await invited(eachType())
      const { page } = await open(t, invite.link, { allow: [/^503: /] })
      const candidate = new Candidate(page)
      await candidate.start()
      await answer(page, answers, { status, retryAfter, times: 1 })
      const sent: number[] = []
      page.on('request', (request) => {
        if (request.url().includes(answers)) sent.push(performance.now())
      })
      await candidate.choose('57 °C')
      await page.getByRole('heading', { name: candidate.pattern('offline.title') }).waitFor({ timeout: 5000 })
      await awaitAnnouncement(page, message('offline.title'))
      await candidate.choose('41 °C') // work continues, and brings no attempt forward
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await page.getByText(candidate.pattern('offline.over')).first().waitFor()
      await awaitAnnouncement(page, message('offline.over'))
      assert.ok(sent[1]! - sent[0]! >= 2900, `the next attempt came after ${sent[1]! - sent[0]!} ms`)
      assert.deepEqual((await savedAnswers(invite))[0], { optionId: 'a' })
    })
  }

  test('15: The page says within five seconds that a save hangs, and tries again by itself', async (t) => {
    const invite = await invited(eachType())
    const { page } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await hold(page, answers, { times: 1 })
    await candidate.choose('57 °C')
    await page.getByRole('heading', { name: candidate.pattern('offline.title') }).waitFor({ timeout: 5000 })
    await candidate.seeSaved()
    assert.deepEqual((await savedAnswers(invite))[0], { optionId: 'b' })
  })

  test('15: After 401, 409, or 410 the page asks for the state of the session, and keeps the answers', async (t) => {
    const invite = await invited(eachType())
    const { page } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    const states = requestsTo(page, /\/v1\/candidate\/session$/, 'GET')
    for (const [i, status] of [401, 409, 410].entries()) {
      await answer(page, answers, { status, code: 'stage_closed', times: 1 })
      await candidate.choose(['41 °C', '57 °C', '37 °C'][i]!)
      await eventually(
        async () => states.length,
        (count) => count > i,
      )
      await candidate.seeSaved()
    }
    assert.deepEqual((await savedAnswers(invite))[0], { optionId: 'c' })
  })

  test('15: Five hundred long answers arrive after a time offline', async (t) => {
    const invite = await invited(long(500))
    const { page, context } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await setOffline(context, true)
    await page.evaluate(() => {
      location.hash = '#q4'
    })
    await candidate.seeQuestion(4)
    // Typing all of them would take minutes, so they go where the page keeps them.
    const questions = await invite.candidate.GET('/v1/candidate/session/stage')
    const { id: stage, questions: asked } = questions.data!.data
    const rows = asked
      .filter(({ type }) => type === 'SHORT_TEXT')
      .map(({ id }) => ({
        session: invite.sessionId,
        question: id,
        stage,
        answer: { text: '\u6d77'.repeat(2000) },
        revision: Date.now(),
        seen: 0,
        pending: true,
        editedAt: Date.now(),
      }))
    await page.evaluate(async (rows) => {
      const database = await new Promise<IDBDatabase>((done) => {
        const request = indexedDB.open('assay-take')
        request.onsuccess = () => done(request.result)
      })
      const transaction = database.transaction('answers', 'readwrite')
      for (const row of rows) transaction.objectStore('answers').put(row)
      await new Promise((done) => {
        transaction.oncomplete = done
      })
      database.close()
    }, rows)
    await setOffline(context, false)
    await page.reload()
    await page.getByRole('banner').getByText(candidate.pattern('save.saved')).waitFor()
    const saved = await savedAnswers(invite)
    assert.equal(saved.filter((answer) => answer?.text?.length === 2000).length, rows.length)
  })
})

describe('leaving', { concurrency: true }, () => {
  test('16: Leaving warns only while an answer is unsent', async (t) => {
    const invite = await invited(eachType())
    const { page } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    const restore = await abort(page, answers)
    await candidate.choose('57 °C')
    await page.getByRole('heading', { name: candidate.pattern('offline.title') }).waitFor()
    const warned = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await warned
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await restore()
    await candidate.seeSaved()
    const dialogs: Dialog[] = []
    page.on('dialog', (dialog) => dialogs.push(dialog))
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
    assert.deepEqual(dialogs, [])
  })

  test('16: Closing the tab 100 ms after typing still delivers the answer', async (t) => {
    const invite = await invited(eachType())
    const { page, context } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await page.evaluate(() => {
      location.hash = '#q4'
    })
    await candidate.seeQuestion(4)
    await candidate.type('sesame')
    page.on('dialog', (dialog) => void dialog.accept())
    await new Promise((done) => setTimeout(done, 100))
    await page.close()
    await eventually(
      () => savedAnswers(invite),
      (saved) => saved[3]?.text === 'sesame',
    )
    await context.newPage() // the context stays open
  })
})
