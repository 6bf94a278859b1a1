// The screen of the import: the source beside what was understood of it.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { answerImports, imported, note, question } from './support/imports.ts'
import { abort, answer, hold, requestsTo } from './support/network.ts'
import { until } from './support/until.ts'

after(disconnect)

const gas = '1. Which gas do plants take up?\nA) Oxygen\n*B) Carbon dioxide\nC) Helium\n'
const minutes = '\n2. How many minutes are in an hour?\nAnswer: 60\n'
const imports = '/v1/assessments/import'
/** The request that creates a draft, and not the preview. */
const creation = /assessments\/import(?!.*dryRun)/

const source = (page: Page) => page.locator('#import-text')
const listed = (page: Page) => page.locator('.import-questions ol > li')
const prompts = (page: Page) => page.locator('.import-prompt').allTextContents()
const correct = (page: Page) => page.locator('.import-options .correct > :nth-child(2)').allTextContents()
/** The number of the line in which the caret is. */
const caretLine = (page: Page) =>
  source(page).evaluate((area) => {
    const { value, selectionStart } = area as HTMLTextAreaElement
    return value.slice(0, selectionStart).split('\n').length
  })
const marked = (page: Page, name: string) => page.locator(`.import-rows .${name} span`).allInnerTexts()

async function drafts(made: Organization) {
  const found = await ok(made.api.GET('/v1/assessments'))
  return Promise.all(
    found.map(({ id }) => ok(made.api.GET('/v1/assessments/{id}', { params: { path: { id } } }))),
  )
}

async function open(t: Parameters<typeof dashboard>[0], options: Parameters<typeof dashboard>[3] = {}) {
  const made = await organization()
  return { made, user: await dashboard(t, made, '/assessments/import', options) }
}

const create = (user: User, count: number) => user.button('import.create', { count })

describe('The import', { concurrency: 2 }, () => {
  test('shows questions while a person types, stores nothing, and then creates the draft', async (t) => {
    const { made, user } = await open(t)
    const { page } = user
    await user.read('import.nothing.title')
    await source(page).pressSequentially(gas)
    await user.read('import.understood', { count: 1 })
    assert.deepEqual(await prompts(page), ['Which gas do plants take up?'])
    assert.deepEqual(await correct(page), ['Carbon dioxide'])
    await source(page).pressSequentially(minutes)
    await user.read('import.understood', { count: 2 })
    await user.read('import.attention.none')
    assert.deepEqual(await drafts(made), [])

    await create(user, 2).click()
    await user.read('import.titleRequired')
    await user.field('import.titleLabel').fill('Plants')
    await create(user, 2).click()
    await page.waitForURL(/\/app\/assessments\/asm_\w+\/edit/)
    const [draft] = await drafts(made)
    assert.equal(draft!.title, 'Plants')
    assert.equal(draft!.status, 'DRAFT')
    const found = draft!.stages.flatMap((stage) => stage.questions)
    assert.deepEqual(
      found.map(({ prompt, correctOptionId, answer }) => [prompt, correctOptionId, answer]),
      [
        ['Which gas do plants take up?', 'b', null],
        ['How many minutes are in an hour?', null, 60],
      ],
    )
    // What was saved is no draft of the form.
    await page.goto(`${made.baseUrl}/app/assessments/import`)
    await user.read('import.nothing.title')
  })

  test('sends one request for many keys, aborts it for a newer text, and shows only the newest', async (t) => {
    const { user } = await open(t)
    const { page } = user
    const sent = requestsTo(page, imports, 'POST')
    const failed: string[] = []
    page.on('requestfailed', (request) => failed.push(request.failure()?.errorText ?? ''))
    const release = await hold(page, imports, { times: 1 })
    await source(page).fill('1. Old?\nAnswer: 1')
    await until(async () => assert.equal(sent.length, 1))
    await source(page).fill(gas)
    await user.read('import.understood', { count: 1 })
    release()
    assert.deepEqual(await prompts(page), ['Which gas do plants take up?'])
    assert.equal(sent.length, 2)
    assert.deepEqual(failed, ['net::ERR_ABORTED'])
    assert.deepEqual(sent.map((request) => request.postData()), ['1. Old?\nAnswer: 1', gas])
    await source(page).fill('')
    await user.read('import.nothing.title')
  })

  test('offers the formats that it recognises, and reads the source in the chosen one', async (t) => {
    const { user } = await open(t)
    const { page } = user
    await source(page).fill('::Q1::Two plus two is {#4}\n\n::Q2::The earth is a disc. {F}\n')
    await user.read('import.readAs', { format: 'GIFT' })
    await user.read('import.understood', { count: 2 })
    const format = user.field('import.format')
    const options = await format.locator('option').allInnerTexts()
    assert.deepEqual(options.slice(0, 2), ['Recognized: GIFT', 'GIFT'])
    assert.equal(options.length, 9)
    await format.selectOption('TEXT')
    await user.read('import.readAs', { format: 'Text' })
    await format.selectOption('AUTO')
    await user.read('import.readAs', { format: 'GIFT' })
    await user.read('import.understood', { count: 2 })
  })

  test('asks about a number with two meanings, and reads it in the chosen language', async (t) => {
    const { user } = await open(t)
    const { page } = user
    await source(page).fill('1. Wie viele Meter hat ein Kilometer?\nAntwort: 1.000\n')
    await user.read('import.note.number_ambiguous')
    await user.read('import.attention', { count: 1 })
    await user.field('import.language').selectOption('de')
    await user.read('import.attention.none')
    assert.match((await page.locator('.import-answer').textContent())!, /^1,000$/)
  })

  test('leads from a note to its line, and from a question to its lines', async (t) => {
    const { user } = await open(t)
    const { page } = user
    const many = Array.from({ length: 30 }, (_, i) => `${i + 1}. Is ${i} even?\nA) Yes\nB) No\nAnswer: A\n`).join('\n')
    await source(page).fill(`${many}\n31. Which?\nA) One\nB) Two\nAnswer: D\n\n32. Who?\nAnswer: Ada\n`)
    await user.read('import.understood', { count: 32 })
    assert.match((await user.page.locator('.import-counts').innerText()), /to complete/)
    await page.getByLabel(user.pattern('import.onlyNotes')).check()
    await until(async () => assert.equal(await listed(page).count(), 1))
    assert.match(page.url(), /notes=1/)
    const wrong = listed(page).first()
    await wrong.locator('.import-notes').getByRole('button', { name: 'Line 154' }).click()
    assert.equal(await caretLine(page), 154)
    assert.ok(await source(page).evaluate((area) => area === document.activeElement))
    assert.deepEqual(await marked(page, 'shown'), ['154'])
    assert.ok((await marked(page, 'incomplete')).includes('154'))
    await wrong.locator('.import-about').getByRole('button').click()
    assert.equal(await caretLine(page), 151)
    assert.deepEqual(await marked(page, 'shown'), ['151', '152', '153', '154'])
    await page.getByLabel(user.pattern('import.onlyNotes')).uncheck()
    await until(async () => assert.equal(await listed(page).count(), 32))
    // The first question, by a press beside its text.
    await listed(page).first().click({ position: { x: 5, y: 5 } })
    assert.equal(await caretLine(page), 1)
    assert.deepEqual(await marked(page, 'shown'), ['1', '2', '3', '4'])
    const box = await page.locator('.import-rows .shown').first().boundingBox()
    const field = await source(page).boundingBox()
    assert.ok(box!.y >= field!.y && box!.y < field!.y + field!.height, 'the line can be seen')
  })

  test('shows notes of later versions as the server writes them, and texts that are no HTML', async (t) => {
    const { user } = await open(t)
    const { page } = user
    const made = imported([question(1, { prompt: '<b>x</b>', promptHtml: '<p>&lt;b&gt;x&lt;/b&gt;</p>' })], {
      notes: [note('heading_ignored', 'NOT_IMPORTED', 3, '<i>Part</i>'), note('brand_new', 'URGENT', null)],
    })
    made.report.questions.push({
      line: null, lastLine: null, itemId: 'item-7', stageOrder: null, questionOrder: null,
      excerpt: 'Match', notes: [note('type_unsupported', 'NOT_IMPORTED', null)],
    })
    await answerImports(page, () => made)
    await source(page).fill(gas)
    await user.read('import.note.heading_ignored')
    await page.getByText('The server says: brand_new.').waitFor()
    await page.getByText('<i>Part</i>').waitFor()
    await page.getByText('item-7').waitFor()
    assert.deepEqual(await prompts(page), ['<b>x</b>', 'Match'])
    const counts = await page.locator('.import-counts li').allInnerTexts()
    assert.deepEqual(counts, ['2 not imported', '1 hint'])
    await user.read('import.missing')
  })

  test('keeps the text and the choices over a reload, and forgets them when it is told to', async (t) => {
    const { user } = await open(t)
    const { page } = user
    await source(page).fill(gas)
    await user.field('import.language').selectOption('de')
    await user.read('import.understood', { count: 1 })
    await page.reload()
    await user.read('import.understood', { count: 1 })
    assert.equal(await source(page).inputValue(), gas)
    assert.equal(await user.field('import.language').inputValue(), 'de')
    await user.button('draft.discard').click()
    await user.read('import.nothing.title')
    assert.equal(await user.field('import.language').inputValue(), '')
  })
})

describe('The import with faults', { concurrency: 2 }, () => {
  test('says that there is no connection, keeps the last questions, and goes on by itself', async (t) => {
    const { user } = await open(t)
    const { page } = user
    await source(page).fill(gas)
    await user.read('import.understood', { count: 1 })
    const online = await abort(page, imports)
    await source(page).fill(gas + minutes)
    await user.read('fault.offline')
    assert.deepEqual(await prompts(page), ['Which gas do plants take up?'])
    await online()
    await user.read('import.understood', { count: 2 })
    assert.equal(await page.getByText(user.pattern('fault.offline')).count(), 0)
  })

  test('waits when the server is asked too often', async (t) => {
    const { user } = await open(t)
    const { page } = user
    await answer(page, imports, { status: 429, retryAfter: 1, code: 'rate_limited', requestId: 'req_1', times: 1 })
    await source(page).fill(gas)
    await user.read('fault.limited')
    await user.read('import.understood', { count: 1 })
  })

  test('shows why no draft is created, and creates one draft when it is tried again', async (t) => {
    const { made, user } = await open(t)
    const { page } = user
    const code = 'assessment_quota_exceeded'
    await answer(page, creation, { status: 409, code, requestId: 'req_1', times: 1 })
    await source(page).fill(gas)
    await user.read('import.understood', { count: 1 })
    await user.field('import.titleLabel').fill('Plants')
    await create(user, 1).click()
    await page.locator('.import-create [role=alert]').waitFor()
    await create(user, 1).dblclick()
    await page.waitForURL(/\/edit/)
    assert.equal((await drafts(made)).length, 1)
  })

  test('says what is wrong with a source that cannot be read, and does not offer to create', async (t) => {
    const { user } = await open(t)
    const { page } = user
    await source(page).fill('{"not": "an assessment"')
    await user.field('import.format').selectOption('ASSAY_JSON')
    await user.read('import.notReadable')
    assert.equal(await page.locator('.import-create').count(), 0)
    await user.field('import.format').selectOption('TEXT')
    await page.getByText(user.pattern('import.notReadable')).waitFor({ state: 'detached' })
  })

  test('asks nothing of a member, who may not create assessments', async (t) => {
    const { user } = await open(t, { role: 'MEMBER' })
    const { page } = user
    const sent = requestsTo(page, imports)
    await user.read('role.needsEditor')
    await source(page).fill(gas)
    await user.field('import.language').selectOption('de')
    await user.read('import.nothing.title')
    assert.equal(sent.length, 0)
  })
})

describe('The import for everybody', { concurrency: 2 }, () => {
  test('with the keyboard alone', async (t) => {
    const { made, user } = await open(t)
    const { page } = user
    await source(page).focus()
    await page.keyboard.insertText(gas)
    await user.read('import.understood', { count: 1 })
    const tabTo = async (what: string) => {
      for (let i = 0; i < 20; i++) {
        await page.keyboard.press('Tab')
        if (await page.evaluate((what) => document.activeElement!.matches(what), what)) return
      }
      assert.fail(`the Tab key does not reach ${what}`)
    }
    await tabTo('.import-choices select')
    await tabTo('.import-create [name=title]')
    await page.keyboard.type('Plants')
    await tabTo('.import-create .primary')
    await tabTo('.import-questions input')
    await tabTo('.import-about button')
    await page.keyboard.press('Enter')
    assert.equal(await caretLine(page), 1)
    await tabTo('.import-create [name=title]')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/edit/)
    assert.equal((await drafts(made))[0]!.title, 'Plants')
  })

  test('on a phone: the source and the result are two tabs', async (t) => {
    const { user } = await open(t, { viewport: { width: 360, height: 740 } })
    const { page } = user
    await source(page).fill(gas + minutes)
    const tab = page.getByRole('link', { name: 'Result (2)' })
    await tab.click()
    await user.read('import.understood', { count: 2 })
    assert.ok(await source(page).isHidden())
    await page.getByRole('button', { name: 'Lines 6–7' }).click()
    assert.ok(await source(page).isVisible())
    assert.equal(await caretLine(page), 6)
    assert.ok(await listed(page).first().isHidden())
    await tab.click()
    await page.reload()
    await user.read('import.understood', { count: 2 })
  })

  test('in German', async (t) => {
    const { user } = await open(t, { locale: 'de-DE' })
    const { page } = user
    await source(page).fill('Frage 1: Welches Gas?\na) Sauerstoff\nb) Kohlendioxid\n')
    await page.getByText('Keine Option ist als richtig markiert.').waitFor()
    await page.getByText('1 zu ergänzen').waitFor()
    await page.getByRole('button', { name: 'Entwurf mit 1 Frage anlegen' }).waitFor()
  })
})
