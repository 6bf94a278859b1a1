// Writing an assessment in the dashboard.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventually, ok, type Schemas } from './support/api.ts'
import { singleChoice } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { draft, openDraft } from './support/draft.ts'
import { until } from './support/until.ts'

after(disconnect)

const keyless = { ...singleChoice, prompt: '', correctOptionId: null } as Schemas['QuestionInput']

describe('The editor', { concurrency: 2 }, () => {
  test('an empty draft becomes an assessment with the keyboard only', async (t) => {
    const user = await openDraft(t, { title: 'From nothing' })
    const { page } = user
    const { keyboard } = page
    await page.getByRole('heading', { name: user.text('editor.stage.none') }).waitFor()
    await page.locator('.empty-state button').focus()
    await keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('[data-place$="/title"]'))
    await keyboard.press('Control+a')
    await keyboard.type('Kitchen')
    await keyboard.press('Control+Enter')
    await page.waitForFunction(() => document.activeElement?.matches('[data-place$="/prompt"]'))
    await keyboard.type('Is 57 °C hot enough?')
    const first = user.option(1)
    while (!(await first.evaluate((field) => field === document.activeElement))) await keyboard.press('Tab')
    await keyboard.type('Yes')
    await keyboard.press('Enter')
    await keyboard.type('No')
    await keyboard.press('Enter')
    await until(async () => assert.equal(await user.option(4).count(), 1))
    await keyboard.press('Backspace')
    await user.option(4).waitFor({ state: 'detached' })
    await until(async () => assert.equal(await user.option(2).inputValue(), 'No'))
    await user.option(3).focus()
    await keyboard.press('Backspace')
    await user.option(3).waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: user.text('editor.options.correct', { number: 1 }) }).focus()
    await keyboard.press('Space')
    await page.getByText(user.text('editor.faults.none')).waitFor()
    const { stages } = await user.saved()
    assert.equal(stages[0]!.title, 'Kitchen')
    const { prompt, options, correctOptionId } = stages[0]!.questions[0]!
    assert.equal(prompt, 'Is 57 °C hot enough?')
    assert.deepEqual(options!.map(({ text }) => text), ['Yes', 'No'])
    assert.equal(correctOptionId, options![0]!.id)
  })

  test('Alt and arrows move an option, a question, and a stage, and the focus stays on them', async (t) => {
    const user = await openDraft(t)
    const { keyboard } = user.page
    await user.edit(1)
    await user.option(1).focus()
    const place = await user.focused()
    await keyboard.press('Alt+ArrowDown')
    await until(async () => assert.equal(await user.focused(), place))
    await until(async () => assert.equal(await user.option(2).inputValue(), '41 °C'))
    await user.prompt.focus()
    await keyboard.press('Alt+ArrowDown')
    await keyboard.press('Alt+ArrowDown')
    const [first, second, third] = [draft.stages![0]!.questions![1]!, singleChoice, draft.stages![1]!.questions![0]!]
    await eventually(() => user.outline(), (found) => found[1] === second.prompt)
    await until(async () => assert.deepEqual(await user.outline(), [first.prompt, second.prompt, third.prompt]))
    await until(async () => assert.match((await user.focused())!, /\/prompt$/))
    await user.page.getByRole('button', { name: 'Allergens', exact: true }).focus()
    await keyboard.press('Alt+ArrowUp')
    await user.status('saved')
    const isMoved = ({ title, questions }: Schemas['Stage']) => title === 'Allergens' && questions.length === 2
    await eventually(() => user.saved(), ({ stages }) => isMoved(stages[0]!))
  })

  test('a question is dragged to another stage, and an option to another place', async (t) => {
    const user = await openDraft(t)
    const { page } = user
    const drag = async (from: string, to: string, isAfter: boolean) => {
      const item = page.locator(from)
      await item.hover()
      const grip = (await item.locator('.grip').first().boundingBox())!
      const target = (await page.locator(to).boundingBox())!
      await page.mouse.move(grip.x + 5, grip.y + grip.height / 2)
      await page.mouse.down()
      await page.mouse.move(target.x + 40, target.y + target.height / 2, { steps: 4 })
      await page.mouse.move(target.x + 40, target.y + target.height * (isAfter ? 0.9 : 0.1), { steps: 2 })
      await page.mouse.up()
    }
    const items = '.editor-outline .editor-item:not(.stage)'
    await drag(`${items} >> nth=0`, `${items} >> nth=2`, true)
    await eventually(() => user.saved(), ({ stages }) => stages[1]!.questions.length === 2)
    await until(async () => assert.equal((await user.outline()).at(-1), singleChoice.prompt))
    await page.locator(`${items} >> nth=2`).getByRole('button').click()
    await drag('.editor-options li >> nth=2', '.editor-options li >> nth=0', false)
    await eventually(() => user.option(1).inputValue(), (value) => value === '37 °C')
    await page.mouse.move(0, 0)
  })

  test('deleting says what was deleted, moves the focus on, and can be undone', async (t) => {
    const user = await openDraft(t)
    await user.edit(1)
    const head = user.page.locator('.editor-form-head')
    await head.getByRole('button', { name: user.text('editor.question.delete') }).click()
    await user.page.waitForFunction(() => document.activeElement?.matches('[data-place$="/card"]'))
    await until(async () => assert.equal((await user.outline()).length, 2))
    await user.page.locator('.notice').getByRole('button', { name: user.text('editor.undo') }).click()
    await eventually(() => user.outline(), (found) => found.length === 3)
    await user.page.waitForFunction(() => document.activeElement?.matches('[data-place$="/prompt"]'))
    await user.status('saved')
    assert.equal((await user.saved()).stages[0]!.questions[0]!.prompt, singleChoice.prompt)
  })

  test('a short text says how it is compared, and options that look the same are a fault', async (t) => {
    const same = { ...singleChoice, options: [{ id: 'a', text: 'Same' }, { id: 'b', text: 'Same ' }] }
    const code = {
      type: 'SHORT_TEXT', prompt: 'Which command?', points: 1, acceptedAnswers: ['ls -a'], caseSensitive: true,
    }
    const questions = [code, same] as Schemas['QuestionInput'][]
    const user = await openDraft(t, { title: 'Shell', stages: [{ title: 'Files', questions }] })
    const { page } = user
    await user.edit(1)
    const compared = page.getByText(user.text('editor.answers.compared'))
    const isCaseSensitive = page.getByRole('checkbox', { name: user.text('editor.caseSensitive') })
    await compared.waitFor()
    assert.ok(await isCaseSensitive.isChecked())
    await page.getByRole('checkbox', { name: user.text('editor.exactMatch') }).check()
    await compared.waitFor({ state: 'detached' })
    await isCaseSensitive.waitFor({ state: 'detached' })
    await user.save()
    const [saved] = (await user.saved()).stages[0]!.questions
    assert.deepEqual([saved!.exactMatch, saved!.caseSensitive], [true, true])
    await page.locator('.editor-faults summary').click()
    await page.getByRole('button', { name: user.text('editor.fault.options/text.duplicate') }).click()
    await until(async () => assert.equal(await user.option(2).evaluate((field) => field === document.activeElement), true))
    await user.option(2).fill('Other')
    await page.getByText(user.text('editor.faults.none')).waitFor()
  })

  test('faults link to their fields', async (t) => {
    const user = await openDraft(t, {
      title: 'Faulty',
      stages: [draft.stages![0]!, { title: 'Second', questions: [keyless] }],
    })
    const { page } = user
    const summary = page.locator('.editor-faults summary')
    await summary.click()
    await until(async () => assert.match(await summary.innerText(), /2 things before you can publish/))
    await page.getByRole('button', { name: user.text('editor.fault.prompt.required') }).click()
    await page.waitForFunction(() => document.activeElement?.matches('[data-place$="/prompt"]'))
    await page.keyboard.type('Now it has a text')
    await eventually(() => summary.innerText(), (found) => /1 thing/.test(found))
    await user.button('editor.publish').click()
    const entry = { name: user.text('editor.fault.correctOptionId.required') }
    await user.page.getByRole('dialog').getByRole('button', entry).click()
    await page.waitForFunction(() => document.activeElement?.closest('[data-place$="/options"]'))
    await page.getByRole('radio').nth(1).check()
    await page.getByText(user.text('editor.faults.none')).waitFor()
  })

  test('pasted lines become questions, in an empty question and in the dialog', async (t) => {
    const user = await openDraft(t)
    const { page } = user
    await user.button('editor.paste').click()
    await page.getByLabel(user.text('editor.paste.lines')).fill(user.text('editor.paste.example'))
    await user.button('editor.paste.add', { count: 1 }).click()
    await eventually(() => user.outline(), (found) => found[2] === 'What is the capital of France?')
    await page.keyboard.press('Control+Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLTextAreaElement).value === '')
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', '1. One?\nA) x\n*B) y\n\n2. Two?\nA) x\n*B) y\n')
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement!.dispatchEvent(event)
    })
    await eventually(() => user.outline(), (found) => found.length === 6 && found[3] === 'One?' && found[4] === 'Two?')
    await user.status('saved')
    const { questions } = (await user.saved()).stages[0]!
    assert.deepEqual(questions.map(({ correctOptionId }) => correctOptionId !== null), [true, false, true, true, true])
  })

  test('taking it saves first, and opens the page of a candidate', async (t) => {
    const user = await openDraft(t)
    await user.edit(1)
    await user.prompt.fill('Changed just now?')
    const [tab] = await Promise.all([user.page.context().waitForEvent('page'), user.button('editor.take').click()])
    await tab.waitForURL(/\/take/)
    await tab.getByRole('heading', { level: 1 }).first().waitFor()
    assert.equal((await user.saved()).stages[0]!.questions[0]!.prompt, 'Changed just now?')
    await tab.close()
  })

  test('publishing saves, says what it means, and leads to the assessment', async (t) => {
    const user = await openDraft(t)
    await user.page.getByRole('link', { name: user.text('editor.part.settings') }).last().click()
    await user.page.getByLabel(user.text('editor.title'), { exact: true }).fill('Line cook, 2nd edition')
    await user.button('editor.publish').click()
    const dialog = user.page.getByRole('dialog')
    await dialog.getByText(user.text('editor.publish.frozen')).waitFor()
    await dialog.getByRole('button', { name: user.text('editor.publish') }).click()
    await user.page.waitForURL(new RegExp(`/assessments/${user.id}$`))
    const { status, title } = await user.saved()
    assert.deepEqual([status, title], ['PUBLISHED', 'Line cook, 2nd edition'])
  })

  for (const [locale, typed, first, second] of [
    ['de-DE', '1.500', '1.500', '1,5'],
    ['en-GB', '1,234', '1,234', '1.234'],
  ] as const)
    test(`asks which number "${typed}" is, in ${locale}`, async (t) => {
      const user = await openDraft(t, draft, { locale })
      await user.edit(2)
      const answer = user.page.locator('[data-place$="/answer"]')
      const question = user.page.getByText(user.text('editor.number.meanings'))
      const key = async () => {
        await user.save()
        const saved = (await user.saved()).stages[0]!.questions[1]!
        return 'answer' in saved ? saved.answer : undefined
      }
      await answer.fill(typed)
      await question.waitFor()
      assert.equal(await key(), null, 'nothing is saved until the author has chosen')
      await user.page.getByRole('button', { name: second, exact: true }).click()
      await question.waitFor({ state: 'detached' })
      const fraction = Number(second.replace(',', '.'))
      assert.equal(await key(), fraction)
      await user.page.reload() // the address says which question is open
      await answer.waitFor()
      assert.equal(await answer.inputValue(), String(fraction))
      assert.equal(await question.count(), 0, 'what is saved has one meaning')

      await answer.fill(typed === '1,234' ? '2,345' : typed)
      await user.page.getByRole('button', { name: typed === '1,234' ? '2,345' : first, exact: true }).click()
      assert.equal(await key(), typed === '1,234' ? 2345 : 1500)
      await answer.fill('1.000.000')
      assert.equal(await key(), 1_000_000)
      await answer.fill('0,125')
      assert.equal(await key(), 0.125)
    })

  test('a published assessment is read-only, and its copy can be edited', async (t) => {
    const user = await openDraft(t)
    await ok(user.organization.api.POST('/v1/assessments/{id}/publish', { params: { path: { id: user.id } } }))
    await user.page.reload()
    await user.page.getByText(user.text('editor.readOnly.published')).waitFor()
    assert.equal(await user.button('editor.question.edit', { number: 1 }).count(), 0)
    await user.button('editor.duplicate').click()
    await user.page.waitForURL((url) => url.pathname.endsWith('/edit') && !url.pathname.includes(user.id))
    await user.button('editor.question.edit', { number: 1 }).waitFor()
  })

  test('a member reads a draft, and the disabled button says why', async (t) => {
    const user = await openDraft(t, draft, { role: 'MEMBER' })
    await user.page.getByText(user.text('editor.readOnly.role')).waitFor()
    const publish = user.button('editor.publish')
    await until(async () => assert.equal(await publish.getAttribute('aria-disabled'), 'true'))
    await until(async () => assert.equal(await publish.getAttribute('title'), user.text('role.needsEditor')))
  })
})
