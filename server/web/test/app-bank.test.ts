// The question bank: questions that several assessments use, with versions and tags.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually, ok, organization, type Organization } from './support/api.ts'
import { numeric, shortText, singleChoice } from './support/assessments.ts'
import { bank, bankOfEachType, saved } from './support/bank.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard, type User } from './support/dashboard.ts'
import { abort, answer, loseResponse, requestsTo } from './support/network.ts'
import { until } from './support/until.ts'

after(disconnect)

const rows = (page: Page) => page.locator('tbody tr')
const prompt = (page: Page) => page.locator('.editor-form [data-place$="/prompt"]')
const tagField = (user: User) => user.page.locator('#bank-tag')
const tags = ({ page }: User) => page.locator('.editor-form .chips-of-tags li > span').allInnerTexts()
const list = ({ api }: Organization) => ok(api.GET('/v1/questions'))
const hasFocus = (page: Page, selector: string) =>
  page.evaluate((selector) => document.activeElement?.matches(selector) === true, selector)

/** Opens the form of a question. */
async function opened(t: TestContext, made: Organization, id: string, more = {}): Promise<User> {
  const user = await dashboard(t, made, `/questions/${id}`, more)
  await user.button('bank.edit').click()
  await prompt(user.page).waitFor()
  return user
}

const save = async (user: User) => {
  await user.button('bank.save').click()
  await user.button('bank.edit').waitFor()
}

describe('Questions of the bank', { concurrency: 2 }, () => {
  test('the first question is written with the keyboard alone', async (t) => {
    const made = await organization()
    const user = await dashboard(t, made, '/questions')
    const { page } = user
    const { keyboard } = page
    await user.read('bank.none.title')
    await user.link('bank.none.first').focus()
    await keyboard.press('Enter')
    await until(async () => assert.ok(await hasFocus(page, '[data-place$="/prompt"]')))
    await keyboard.type('Which rice is **safe**?')
    const option = (number: number) => page.getByRole('textbox', { name: user.text('editor.options.text', { number }) })
    await option(1).focus()
    await keyboard.type('Hot rice')
    await keyboard.press('Enter')
    await until(async () => assert.ok(await hasFocus(page, '[data-place*="/options/"]')))
    await keyboard.type('Cold rice')
    await keyboard.press('Alt+ArrowUp')
    await until(async () => assert.equal(await option(1).inputValue(), 'Cold rice'))
    await page.getByRole('radio').nth(1).focus()
    await keyboard.press('Space')
    await tagField(user).focus()
    await keyboard.type('rice,')
    await keyboard.type('Rice')
    await keyboard.press('Enter')
    await keyboard.type('easy')
    await keyboard.press('Control+s')
    await page.waitForURL(/\/questions\/qbk_/)
    await user.page.getByRole('heading', { level: 1, name: 'Which rice is safe?' }).waitFor()
    const [found] = await list(made)
    const { question, tags: both, version } = await saved(made, found!.id)
    assert.deepEqual([question.prompt, both, version], ['Which rice is **safe**?', ['rice', 'easy'], 1])
    const [first, second] = question.options!
    assert.deepEqual([first!.text, second!.text, question.correctOptionId], ['Cold rice', 'Hot rice', second!.id])
  })

  test('several are written in a row, with the type, the points, and the tags of the one before', async (t) => {
    const made = await organization()
    const user = await dashboard(t, made, '/questions/new')
    const { page } = user
    await page.locator('[data-place$="/type"]').selectOption('NUMERIC')
    await page.locator('[data-place$="/points"]').fill('3')
    await tagField(user).fill('rice')
    for (const text of ['How hot?', 'How cold?']) {
      await prompt(page).fill(text)
      await user.button('bank.create.another').click()
      await until(async () => assert.equal(await prompt(page).inputValue(), ''))
    }
    assert.deepEqual(await tags(user), ['rice'])
    const found = (await list(made)).map(({ prompt, type, points, tags }) => [prompt, type, points, tags])
    const more = ['NUMERIC', 3, ['rice']] as const
    assert.deepEqual(found, [['How cold?', ...more], ['How hot?', ...more]])
  })

  test('a lost response creates no second question', async (t) => {
    const made = await organization()
    const user = await dashboard(t, made, '/questions/new', { allow: [/Failed to load/] })
    await loseResponse(user.page, '/v1/questions', { method: 'POST', times: 1 })
    await prompt(user.page).fill('How hot?')
    await user.button('bank.create').first().click()
    await user.read('fault.offline')
    await user.button('bank.create').first().click()
    await user.page.waitForURL(/\/questions\/qbk_/)
    assert.equal((await list(made)).length, 1)
  })

  test('a change of the content is a version, a change of the tags is none', async (t) => {
    const made = await organization()
    const { id } = await bank(made, numeric, ['easy'])
    const user = await opened(t, made, id)
    const { page } = user
    await prompt(page).fill('How hot must chicken be?')
    await user.read('bank.save.version', { version: 2 })
    await save(user)
    await page.getByRole('heading', { level: 1, name: 'How hot must chicken be?' }).waitFor()
    await user.button('bank.edit').click()
    await user.button('bank.tags.remove', { tag: 'easy' }).click()
    await tagField(user).fill('hard')
    await save(user)
    const { version, tags: now } = await saved(made, id)
    assert.deepEqual([version, now], [2, ['hard']])

    await user.page.getByRole('link', { name: user.text('bank.part.versions') }).click()
    await until(async () => assert.equal(await page.locator('main ol > li').count(), 2))
    await user.button('bank.version.useNumber', { version: 1 }).click()
    await until(async () => assert.equal(await prompt(page).inputValue(), numeric.prompt))
    assert.equal((await saved(made, id)).version, 2)
    await page.keyboard.press('Control+z')
    await until(async () => assert.equal(await prompt(page).inputValue(), 'How hot must chicken be?'))
    await page.keyboard.press('Control+Shift+z')
    await until(async () => assert.equal(await prompt(page).inputValue(), numeric.prompt))
    await save(user)
    const third = await saved(made, id)
    assert.deepEqual([third.version, third.question.prompt, third.question.answer], [3, numeric.prompt, 74.5])
  })

  test('what the server refuses is shown at its field', async (t) => {
    const made = await organization()
    const { id } = await bank(made, singleChoice)
    const user = await opened(t, made, id, { allow: [/status of 400/] })
    const { page } = user
    const option = page.getByRole('textbox', { name: user.text('editor.options.text', { number: 2 }) })
    const fields = { '/question/options/1/text': 'too_long' }
    const refused = { status: 400, code: 'invalid_request', requestId: 'req_01m6gagea5f23rz6arqmjfkxcm', fields }
    await answer(page, `/v1/questions/${id}`, { ...refused, method: 'PATCH', times: 1 })
    await option.fill('58 °C')
    await user.button('bank.save').click()
    await until(async () => assert.equal(await option.getAttribute('aria-invalid'), 'true'))
    await option.fill('57 °C')
    await until(async () => assert.equal(await option.getAttribute('aria-invalid'), null))
    await prompt(page).fill(' ')
    await user.button('bank.save').click()
    await user.read('editor.fault.prompt.required')
    await until(async () => assert.ok(await hasFocus(page, '[data-place$="/prompt"]')))
    assert.equal((await saved(made, id)).version, 1)
  })
})

describe('The list', { concurrency: 2 }, () => {
  test('is searched, filtered by tags that a question must all have, and opened with the keyboard', async (t) => {
    const made = await organization()
    await bankOfEachType(made)
    const user = await dashboard(t, made, '/questions')
    const { page } = user
    await until(async () => assert.equal(await rows(page).count(), 5))
    const filter = page.getByLabel(user.text('bank.filter.tag')).first()
    await filter.selectOption('easy')
    await until(async () => assert.equal(await rows(page).count(), 3))
    await page.locator('.filters select').selectOption('temperatures')
    await until(async () => assert.equal(await rows(page).count(), 2))
    await page.keyboard.press('Escape')
    await page.locator('h1').focus()
    await page.keyboard.press('/')
    await page.keyboard.type('CHICKEN')
    await until(async () => assert.equal(await rows(page).count(), 1))
    assert.match(page.url(), /tag=easy%2Ctemperatures/)
    await page.reload()
    await until(async () => assert.equal(await rows(page).count(), 1))
    await user.button('bank.filter.remove', { tag: 'temperatures' }).click()
    await user.button('bank.filter.remove', { tag: 'easy' }).click()
    await page.locator('[data-search]').fill('nothing like this')
    await user.read('state.noMatch.title')
    await user.button('state.noMatch.clear').click()
    await until(async () => assert.equal(await rows(page).count(), 5))
    await rows(page).first().getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: singleChoice.prompt }).waitFor()
    await page.goBack()
    await until(async () => assert.equal(await rows(page).count(), 5))
  })

  test('archives, restores, and deletes, and says why a used question stays', async (t) => {
    const made = await organization()
    const used = await bank(made, numeric)
    const { id } = await bank(made, shortText)
    await ok(
      made.api.POST('/v1/assessments', {
        body: { title: 'Cook', stages: [{ title: 'One', questions: [{ ...numeric, bankQuestionId: used.id }] }] },
      }),
    )
    const user = await dashboard(t, made, '/questions')
    const { page } = user
    const menu = (title: string) => page.locator('tr').filter({ hasText: title }).locator('.more > summary')
    await menu(numeric.prompt).click()
    const remove = page.getByRole('button', { name: user.text('bank.delete'), exact: true })
    assert.equal(await remove.first().getAttribute('title'), user.text('bank.delete.used', { count: 1 }))
    await page.keyboard.press('Escape')

    await menu(shortText.prompt).click()
    await page.locator('.more[open]').getByRole('button', { name: user.text('bank.archive') }).click()
    await user.dialog('bank.archive.title').getByRole('button', { name: user.text('bank.archive') }).click()
    await until(async () => assert.equal(await rows(page).count(), 1))
    assert.notEqual((await saved(made, id)).archivedAt, null)
    await page.getByRole('link', { name: user.text('bank.archived.tab'), exact: true }).click()
    await page.getByText(shortText.prompt).waitFor()
    await menu(shortText.prompt).click()
    await page.locator('.more[open]').getByRole('button', { name: user.text('bank.restore') }).click()
    await user.read('bank.archived.none')
    assert.equal((await saved(made, id)).archivedAt, null)

    await page.goto(`${made.baseUrl}/app/questions/${id}`)
    await user.button('bank.edit').waitFor()
    await page.locator('.actions .more > summary').click()
    await page.locator('.more[open]').getByRole('button', { name: user.text('bank.delete') }).click()
    await user.dialog('bank.delete.title').getByRole('button', { name: user.text('bank.delete') }).click()
    await page.waitForURL(/\/questions$/)
    await until(async () => assert.equal(await rows(page).count(), 1))
    assert.deepEqual((await list(made)).map(({ id }) => id), [used.id])
  })
})

describe('Two people change a question', { concurrency: 2 }, () => {
  const change = ({ api }: Organization, id: string, body: { question?: typeof numeric; tags?: string[] }) =>
    ok(api.PATCH('/v1/questions/{id}', { params: { path: { id } }, body }))
  const other = { ...numeric, prompt: 'How hot is theirs?' }

  test('different parts are both saved', async (t) => {
    const made = await organization()
    const { id } = await bank(made, numeric, ['easy'])
    const user = await opened(t, made, id, { allow: [/status of 412/] })
    await change(made, id, { tags: ['hard'] })
    await prompt(user.page).fill('How hot is mine?')
    await save(user)
    const { question, tags: now } = await saved(made, id)
    assert.deepEqual([question.prompt, now], ['How hot is mine?', ['hard']])
    await user.page.locator('.facts-list').getByText('hard').waitFor()
  })

  test('the same part is compared, and saved over', async (t) => {
    const made = await organization()
    const { id } = await bank(made, numeric)
    const user = await opened(t, made, id, { allow: [/status of 412/] })
    await change(made, id, { question: other })
    await prompt(user.page).fill('How hot is mine?')
    await user.button('bank.save').click()
    await user.page.getByRole('region', { name: user.text('bank.conflict.theirs') }).getByText(other.prompt).waitFor()
    assert.equal((await saved(made, id)).question.prompt, other.prompt)
    assert.equal(await prompt(user.page).inputValue(), 'How hot is mine?')
    await user.page.keyboard.press('Control+s')
    assert.equal((await saved(made, id)).question.prompt, other.prompt, 'the shortcut does not save over it')
    await user.button('bank.conflict.over').click()
    await user.page.getByRole('region', { name: user.text('bank.conflict.theirs') }).waitFor({ state: 'detached' })
    await eventually(() => saved(made, id), ({ question }) => question.prompt === 'How hot is mine?')
    assert.equal((await saved(made, id)).version, 3)
  })

  test('a kept draft of an older version is compared when it comes back, and the other version is taken', async (t) => {
    const made = await organization()
    const { id } = await bank(made, numeric)
    const user = await opened(t, made, id)
    await prompt(user.page).fill('How hot is mine?')
    await change(made, id, { question: other })
    await user.page.reload()
    await user.read('draft.back')
    await user.page.getByRole('region', { name: user.text('bank.conflict.theirs') }).getByText(other.prompt).waitFor()
    assert.equal(await prompt(user.page).inputValue(), 'How hot is mine?')
    await user.button('bank.conflict.take').click()
    await until(async () => assert.equal(await prompt(user.page).inputValue(), other.prompt))
    await user.page.reload()
    await until(async () => assert.equal(await prompt(user.page).inputValue(), other.prompt))
    assert.equal(await user.page.getByText(user.text('draft.back')).count(), 0)
  })
})

describe('Unsaved changes', { concurrency: 2 }, () => {
  test('come back after a link of the menu and a reload, until they are saved or discarded', async (t) => {
    const made = await organization()
    const { id } = await bank(made, numeric, ['easy'])
    const user = await opened(t, made, id, { allow: [/Failed to load/] })
    const { page } = user
    await prompt(page).fill('How hot?')
    await tagField(user).fill('hard')
    await page.keyboard.press('Enter')
    await tagField(user).fill('chicken')
    await page.locator('.wide-nav').getByRole('link', { name: user.text('nav.events') }).click()
    await user.see('events.title')
    await page.goBack()
    await user.read('draft.back')
    assert.equal(await prompt(page).inputValue(), 'How hot?')
    assert.deepEqual(await tags(user), ['easy', 'hard'])
    assert.equal(await tagField(user).inputValue(), 'chicken')
    await user.button('draft.discard').click()
    await until(async () => assert.equal(await prompt(page).inputValue(), numeric.prompt))
    assert.deepEqual(await tags(user), ['easy'])

    await prompt(page).fill('How hot?')
    await abort(page, `/v1/questions/${id}`, { method: 'PATCH', times: 1 })
    await user.button('bank.save').click()
    await user.read('fault.offline')
    await page.reload()
    await user.read('draft.back')
    await save(user)
    await page.reload()
    await user.button('bank.edit').click()
    await prompt(page).waitFor()
    assert.equal(await page.getByText(user.text('draft.back')).count(), 0)
    assert.equal((await saved(made, id)).question.prompt, 'How hot?')
  })

  test('end with the button beside "Save"', async (t) => {
    const made = await organization()
    const { id } = await bank(made, numeric)
    const user = await opened(t, made, id)
    await prompt(user.page).fill('How hot?')
    await user.button('bank.discard').click()
    await user.button('bank.edit').click()
    await until(async () => assert.equal(await prompt(user.page).inputValue(), numeric.prompt))
    await user.button('dialog.cancel').click()
    await prompt(user.page).waitFor({ state: 'detached' })
    await until(async () => assert.ok(await hasFocus(user.page, 'h1')))
  })

  test('nothing is sent without a change', async (t) => {
    const made = await organization()
    const { id } = await bank(made, numeric)
    const user = await opened(t, made, id)
    const requests = requestsTo(user.page, `/v1/questions/${id}`, 'PATCH')
    await user.button('bank.save').click({ force: true })
    await prompt(user.page).fill('How hot?')
    await prompt(user.page).fill(numeric.prompt)
    await user.button('bank.save').click({ force: true })
    assert.equal(await user.button('bank.save').getAttribute('aria-disabled'), 'true')
    assert.equal(requests.length, 0)
  })
})

describe('Roles', { concurrency: 2 }, () => {
  test('a member reads a question with its key, and changes nothing', async (t) => {
    const made = await organization()
    const { id } = await bank(made, singleChoice, ['rice'])
    const user = await dashboard(t, made, '/questions', { role: 'MEMBER' })
    const { page } = user
    assert.equal(await user.button('bank.new').getAttribute('title'), user.text('role.needsEditor'))
    await page.getByRole('link', { name: singleChoice.prompt }).click()
    await page.locator('.editor-card-options .correct').getByText('57 °C').waitFor()
    assert.equal(await user.button('bank.edit').getAttribute('title'), user.text('role.needsEditor'))
    await page.goto(`${made.baseUrl}/app/questions/${id}?edit=true`)
    await page.locator('.editor-card-options .correct').getByText('57 °C').waitFor()
    assert.equal(await page.locator('.editor-form').count(), 0)
    await page.goto(`${made.baseUrl}/app/questions/new`)
    await user.read('role.needsEditor')
    assert.equal((await saved(made, id)).version, 1)
  })

  test('a member who sees some assessments has no entry in the menu', async (t) => {
    const made = await organization()
    const id = await made.publish({ title: 'Cook', stages: [{ title: 'One', questions: [numeric] }] })
    const person = await colleague(made, 'MEMBER', { assessmentIds: [id] })
    const user = await dashboard(t, made, '/', { person })
    await user.link('nav.assessments').first().waitFor()
    assert.equal(await user.link('nav.questions').count(), 0)
  })
})
