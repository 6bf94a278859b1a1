// Pools and questions of the bank in the editor.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventually, ok, organization } from './support/api.ts'
import { freeText, numeric, singleChoice } from './support/assessments.ts'
import { bankId, banked, pooled } from './support/pools.ts'
import { disconnect } from './support/chromium.ts'
import { openDraft, type EditorUser } from './support/draft.ts'
import { until } from './support/until.ts'

after(disconnect)

const stages = [{ title: 'Temperatures', questions: [numeric] }, { title: 'Allergens', questions: [singleChoice] }]
const poolsOf = async (user: EditorUser) => (await user.saved()).stages.map(({ pools }) => pools)
const questionsOf = async (user: EditorUser, stage = 0) => (await user.saved()).stages[stage]!.questions
const at = (user: EditorUser, field: string) => user.page.locator(`.editor-form [data-place$="/${field}"]`)
const hasFocus = async (user: EditorUser, field: string) =>
  until(async () => assert.match((await user.focused()) ?? '', new RegExp(`/${field}$`)))

describe('Pools in the editor', { concurrency: 2 }, () => {
  test('a pool is made with the keyboard, counts what matches, and is published', async (t) => {
    const made = await organization()
    await banked(made, 3)
    const user = await openDraft(t, { title: 'Line cook', stages }, { made })
    const { page } = user
    const { keyboard } = page
    await user.button('editor.pool.add').focus()
    await keyboard.press('Enter')
    await hasFocus(user, 'tags')
    await keyboard.type('FOOD safety')
    await page.locator('datalist option[value="food safety"]').waitFor({ state: 'attached' })
    await keyboard.press('Enter')
    await page.locator('.pools-found').getByText(user.text('pools.match', { count: 3 })).waitFor()
    await page.locator('.pools-found').getByText(user.text('pools.others', { count: 3 })).waitFor()
    await at(user, 'count').fill('2')
    await at(user, 'points').fill('2')
    await page.getByText(user.text('pools.others', { count: 3 })).waitFor({ state: 'detached' })
    await user.save()
    const pool = (await poolsOf(user))[0]![0]!
    assert.deepEqual([pool.tags, pool.count, pool.points, pool.title], [['food safety'], 2, 2, null])
    await page.getByText(user.text('editor.faults.none')).waitFor()
    await user.button('editor.publish').click()
    await page.getByRole('dialog').getByText(user.text('editor.questions.count', { count: 4 })).waitFor()
  })

  test('a pool moves on to the next stage, is deleted, and comes back with undo', async (t) => {
    const made = await organization()
    await banked(made, 2)
    const user = await openDraft(t, { title: 'Line cook', stages: [pooled(), stages[1]!] }, { made })
    const { page } = user
    await user.button('pools.edit', { number: 1 }).click()
    await hasFocus(user, 'tags')
    await page.keyboard.press('Alt+ArrowDown')
    await hasFocus(user, 'tags')
    await user.save()
    assert.deepEqual((await poolsOf(user)).map((pools) => pools.length), [0, 1])
    await user.button('pools.delete').click()
    await user.save()
    assert.deepEqual((await poolsOf(user)).map((pools) => pools.length), [0, 0])
    await page.keyboard.press('Control+z')
    await hasFocus(user, 'tags')
    await user.save()
    const back = (await poolsOf(user))[1]![0]!
    assert.deepEqual([back.title, back.count], ['Easy ones', 2])
    await page.keyboard.press('Control+z')
    await user.save()
    assert.deepEqual((await poolsOf(user)).map((pools) => pools.length), [1, 0])
  })

  test('a pool is dragged to another stage', async (t) => {
    const made = await organization()
    const user = await openDraft(t, { title: 'Line cook', stages: [pooled(), stages[1]!] }, { made })
    const { page } = user
    const item = page.locator('.editor-item.pool')
    await item.hover()
    const grip = (await item.locator('.grip').boundingBox())!
    const target = (await page.locator('.editor-item.stage >> nth=1').boundingBox())!
    await page.mouse.move(grip.x + 5, grip.y + grip.height / 2)
    await page.mouse.down()
    await page.mouse.move(target.x + 40, target.y + target.height / 2, { steps: 4 })
    await page.mouse.up()
    await eventually(() => poolsOf(user), ([, second]) => second!.length === 1)
    await page.mouse.move(0, 0)
  })

  test('what prevents publishing is at the pool, and links to its field', async (t) => {
    const made = await organization()
    await banked(made, 2)
    const other = await bankId(made, { ...numeric, prompt: 'Another number of points?', points: 5 }, ['food safety'])
    const user = await openDraft(t, { title: 'Line cook', stages: [pooled({ count: 9 })] }, { made })
    const { page } = user
    const few = user.text('editor.fault.pool/count.too_large')
    await page.locator('.editor-card').getByText(few).waitFor()
    await page.locator('.editor-card').getByText(user.text('pools.few', { count: 3, drawn: 9 })).waitFor()
    await page.locator('.editor-faults summary').click()
    await page.locator('.editor-fault-list').getByRole('button', { name: few }).click()
    await hasFocus(user, 'count')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('2')
    await user.save()
    const points = user.text('editor.fault.pool/points.invalid_value')
    await page.locator('.editor-form .error').getByText(points).waitFor()
    await page.locator('.pools-found summary').click()
    const [first] = await page.locator('.pools-found li').allInnerTexts()
    assert.match(first!, /^Another number of points\?\s*5 points$/)
    await user.button('editor.question.edit', { number: 1 }).click()
    const link = page.locator('.pools-faults a')
    assert.match((await link.getAttribute('href'))!, new RegExp(`/app/questions/${other}$`))
  })

  test('two people who change one pool choose, and other changes of both are kept', async (t) => {
    const made = await organization()
    await banked(made, 4)
    const user = await openDraft(t, { title: 'Line cook', stages: [pooled()] }, { made })
    await user.button('pools.edit', { number: 1 }).click()
    const [stage] = (await user.saved()).stages
    const { questionCount: _, ...pool } = stage!.pools[0]!
    const theirs = { id: stage!.id, title: stage!.title, questions: [], pools: [{ ...pool, count: 4 }] }
    const body = { title: 'Theirs', stages: [theirs] }
    await ok(made.api.PATCH('/v1/assessments/{id}', { params: { path: { id: user.id } }, body }))
    await at(user, 'count').fill('3')
    const dialog = user.dialog('editor.conflict.title')
    await dialog.getByText(user.text('editor.where.pool', { stage: 1, pool: 1 })).waitFor()
    assert.equal(await dialog.locator('mark', { hasText: '4 questions · 2 points' }).count(), 1)
    await dialog.getByRole('button', { name: user.text('editor.conflict.mine') }).click()
    await user.status('saved')
    const { title, stages: [both] } = await user.saved()
    assert.deepEqual([title, both!.questions.length, both!.pools[0]!.count], ['Theirs', 0, 3])
  })
})

describe('Questions of the bank in the editor', { concurrency: 2 }, () => {
  test('several are added at once, with their content, and cannot be changed here', async (t) => {
    const made = await organization()
    await banked(made, 2)
    const id = await bankId(made, { ...singleChoice, prompt: 'Which is **hot**?' }, ['hot'])
    const user = await openDraft(t, { title: 'Line cook', stages }, { made })
    const { page } = user
    await user.button('editor.bank.add').click()
    const dialog = user.dialog('editor.bank.add')
    await dialog.getByLabel(user.text('pools.search')).fill('question 2')
    await until(async () => assert.equal(await dialog.getByRole('checkbox').count(), 1))
    await dialog.getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await dialog.getByLabel(user.text('pools.search')).fill('')
    await dialog.getByLabel(user.text('pools.tag')).selectOption('hot')
    await dialog.getByText('Which is hot?').waitFor()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: user.text('editor.paste.add', { count: 2 }) }).click()
    await user.status('saved')
    const added = await eventually(() => questionsOf(user), (all) => all.length === 3)
    assert.deepEqual(added.map(({ bankVersion }) => bankVersion), [null, 1, 1])
    assert.equal(added[2]!.bankQuestionId, id)
    // The card has what the list of the bank does not say.
    const card = page.locator('.editor-card').filter({ hasText: 'Which is hot?' })
    await card.getByText('57 °C').waitFor()
    const link = card.getByRole('link', { name: user.text('editor.bank.version', { version: 1 }) })
    assert.match((await link.getAttribute('href'))!, new RegExp(`/app/questions/${id}$`))
    await user.button('editor.question.edit', { number: 3 }).click()
    await page.getByText(user.text('pools.included', { version: 1 })).waitFor()
    assert.equal(await page.locator('.editor-form textarea').count(), 0)
    await user.button('editor.bank.add').click()
    assert.equal(await user.dialog('editor.bank.add').getByRole('checkbox', { disabled: true }).count(), 2)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await user.save()
    assert.equal((await questionsOf(user)).length, 1)
    await page.keyboard.press('Control+Shift+z')
    await user.save()
    const isOwn = (await questionsOf(user)).map(({ bankQuestionId }) => bankQuestionId === null)
    assert.deepEqual(isOwn, [true, false, false])
  })

  test('a new version of the bank arrives with the next save', async (t) => {
    const made = await organization()
    const id = await bankId(made, { ...numeric, prompt: 'Old?' })
    const included = { ...numeric, bankQuestionId: id }
    const user = await openDraft(t, { title: 'Line cook', stages: [{ title: 'A', questions: [included] }] }, { made })
    await user.page.locator('.editor-card').getByText('Old?').waitFor()
    const body = { question: { ...numeric, prompt: 'New?', points: 4 } }
    await ok(made.api.PATCH('/v1/questions/{id}', { params: { path: { id } }, body }))
    await user.button('editor.stage.edit', { number: 1 }).click()
    await at(user, 'title').fill('Basics')
    await user.save()
    const card = user.page.locator('.editor-card').filter({ hasText: 'New?' })
    await card.getByText(user.text('editor.bank.version', { version: 2 })).waitFor()
    // Undo does not bring back an old version.
    await user.page.keyboard.press('Control+z')
    await card.waitFor()
    await user.save()
    assert.equal((await questionsOf(user))[0]!.prompt, 'New?')
  })

  test('a detached question keeps its content, can be changed, and is attached again by undo', async (t) => {
    const made = await organization()
    const id = await bankId(made, { ...singleChoice, prompt: 'From the bank?' })
    const questions = [{ ...singleChoice, bankQuestionId: id }]
    const user = await openDraft(t, { title: 'Line cook', stages: [{ title: 'A', questions }] }, { made })
    await user.button('editor.question.edit', { number: 1 }).click()
    await user.button('pools.detach').focus()
    await user.page.keyboard.press('Enter')
    await user.prompt.waitFor()
    await hasFocus(user, 'prompt')
    assert.equal(await user.option(2).inputValue(), '57 °C')
    await user.prompt.fill('Mine?')
    await user.save()
    const [own] = await questionsOf(user)
    assert.deepEqual([own!.prompt, own!.bankQuestionId, own!.options!.length], ['Mine?', null, 3])
    await user.page.keyboard.press('Control+z')
    await user.page.keyboard.press('Control+z')
    await user.page.getByText(user.text('pools.detach.hint')).waitFor()
    await user.save()
    const [back] = await questionsOf(user)
    assert.deepEqual([back!.prompt, back!.bankQuestionId], ['From the bank?', id])
  })

  test('a question is saved to the bank with tags, and its duplicate belongs to the assessment', async (t) => {
    const made = await organization()
    await banked(made, 1)
    const user = await openDraft(t, { title: 'Line cook', stages: [{ title: 'A', questions: [freeText] }] }, { made })
    const { page } = user
    await user.edit(1)
    await user.button('editor.bank.keep').click()
    const dialog = user.dialog('pools.keep')
    await dialog.getByLabel(user.text('pools.keep.tags')).fill('Cooling, FOOD SAFETY')
    await page.keyboard.press('Enter')
    const chips = dialog.locator('.chips-of-tags li')
    await until(async () => assert.deepEqual(await chips.allInnerTexts(), ['Cooling', 'food safety']))
    await dialog.getByRole('button', { name: user.text('pools.keep') }).click()
    await page.getByText(user.text('pools.included', { version: 1 })).waitFor()
    await user.save()
    const [saved] = await questionsOf(user)
    const path = { id: saved!.bankQuestionId! }
    const { question, tags } = await ok(made.api.GET('/v1/questions/{id}', { params: { path } }))
    assert.deepEqual(tags, ['Cooling', 'food safety'])
    assert.deepEqual([question.prompt, question.rubric], [freeText.prompt, saved!.rubric])
    await user.button('pools.duplicate').click()
    await user.prompt.waitFor()
    await user.save()
    assert.deepEqual((await questionsOf(user)).map(({ bankQuestionId }) => bankQuestionId), [path.id, null])
  })

  test('an archived question says so at its place, and undo removes a pool after a reload', async (t) => {
    const made = await organization()
    const id = await bankId(made, { ...numeric, prompt: 'Archived?' })
    const included = { ...numeric, bankQuestionId: id }
    const user = await openDraft(t, { title: 'Line cook', stages: [{ title: 'A', questions: [included] }] }, { made })
    const { page } = user
    await ok(made.api.PATCH('/v1/questions/{id}', { params: { path: { id } }, body: { archived: true } }))
    await user.button('editor.pool.add').click()
    await user.save()
    await eventually(() => poolsOf(user), ([pools]) => pools!.length === 1)
    await page.reload()
    await page.locator('.editor-faults summary').click()
    const fault = user.text('editor.fault.bankQuestionId.invalid_value')
    await page.locator('.editor-fault-list').getByRole('button', { name: fault }).click()
    await page.locator('.editor-form .error').getByText(fault).waitFor()
    await page.keyboard.press('Control+z')
    await eventually(() => poolsOf(user), ([pools]) => pools!.length === 0)
    assert.equal((await questionsOf(user))[0]!.bankQuestionId, id)
  })
})
