// Free text with a rubric, gates at which a person decides, and the assessment on paper.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventually, ok, organization, type Schemas } from './support/api.ts'
import { freeText, singleChoice } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { openDraft, type EditorUser } from './support/draft.ts'
import { Candidate } from './support/journey.ts'
import { unprintable } from './support/paper.ts'
import { until } from './support/until.ts'

after(disconnect)

const graded = { title: 'Line cook', stages: [{ title: 'Cooling', questions: [freeText, singleChoice] }] }

const title = (user: EditorUser, number: number) =>
  user.page.getByRole('textbox', { name: user.text('editor.criterion.number', { number }), exact: true })
const points = (user: EditorUser, number: number) =>
  user.page.getByRole('textbox', { name: user.text('editor.criterion.points', { number }), exact: true })
const savedQuestion = async (user: EditorUser) => (await user.saved()).stages[0]!.questions[0]!
const hasFocus = (of: ReturnType<typeof title>) => of.evaluate((field) => field === document.activeElement)

describe('Free text in the editor', { concurrency: 2 }, () => {
  test('a question gets a rubric with the keyboard, and the sum is corrected with one press', async (t) => {
    const user = await openDraft(t, { title: 'Line cook', stages: [{ title: 'Cooling', questions: [singleChoice] }] })
    const { page } = user
    const { keyboard } = page
    await user.edit(1)
    await page.locator('[data-place$="/type"]').selectOption('FREE_TEXT')
    await user.field('editor.goodAnswer').fill('Two hours, then four.')
    await page.locator('[data-place$="/maxWords"]').fill('150')
    await user.button('editor.criterion.add').click()
    await until(async () => assert.ok(await hasFocus(title(user, 1))))
    await keyboard.type('Time')
    await points(user, 1).fill('1.5')
    await title(user, 1).focus()
    await keyboard.press('Enter')
    await until(async () => assert.ok(await hasFocus(title(user, 2))))
    assert.equal(await points(user, 2).inputValue(), '0.5')
    await keyboard.type('Method')
    await points(user, 2).fill('2')
    await title(user, 2).focus()
    await keyboard.press('Alt+ArrowUp')
    await until(async () => assert.ok(await hasFocus(title(user, 1))))
    assert.equal(await title(user, 1).inputValue(), 'Method')
    await user.button('editor.criterion.down', { number: 1 }).click()
    await until(async () => assert.equal(await title(user, 1).inputValue(), 'Time'))
    await user.save()
    await page.locator('.editor-faults').getByText(user.text('editor.faults.count', { count: 1 })).waitFor()
    const sum = user.text('editor.points.count', { count: 3.5 })
    await user.button('editor.rubric.adopt', { sum }).click()
    await page.getByText(user.text('editor.faults.none')).waitFor()
    const { type, points: all, explanation, maxWords, rubric } = await savedQuestion(user)
    assert.deepEqual([type, all, explanation, maxWords], ['FREE_TEXT', 3.5, 'Two hours, then four.', 150])
    assert.deepEqual(rubric!.map((criterion) => [criterion.title, criterion.points]), [['Time', 1.5], ['Method', 2]])
  })

  test('faults of a rubric link to their criterion, and a criterion is removed and brought back', async (t) => {
    const rubric = [...freeText.rubric!, { id: 'tidy', title: '', points: 1 }]
    const faulty = { ...freeText, rubric } as Schemas['QuestionInput']
    const user = await openDraft(t, { title: 'Line cook', stages: [{ title: 'Cooling', questions: [singleChoice, faulty] }] })
    const { page } = user
    await page.locator('.editor-faults summary').click()
    await page.getByRole('button', { name: user.text('editor.fault.rubric.invalid_value') }).waitFor()
    await page.getByRole('button', { name: user.text('editor.fault.rubric/title.required') }).click()
    await until(async () => assert.ok(await hasFocus(title(user, 3))))
    await page.keyboard.press('Backspace')
    await until(async () => assert.ok(await hasFocus(title(user, 2))))
    await page.getByText(user.text('editor.faults.none')).waitFor()
    await page.keyboard.press('Control+z')
    await title(user, 3).waitFor()
    await page.keyboard.press('Control+Shift+z')
    await title(user, 3).waitFor({ state: 'detached' })
  })

  test('a duplicate has a rubric of its own, and another type and back loses nothing', async (t) => {
    const user = await openDraft(t, graded)
    const { page } = user
    await user.edit(1)
    await user.button('editor.question.duplicate').click()
    await eventually(() => user.outline(), (found) => found.length === 3)
    await title(user, 1).fill('Changed')
    const type = page.locator('[data-place$="/type"]')
    await type.selectOption('NUMERIC')
    await type.selectOption('FREE_TEXT')
    await user.save()
    const [first, copy] = (await user.saved()).stages[0]!.questions
    assert.equal(first!.rubric![0]!.title, 'Names the time limits')
    assert.deepEqual(copy!.rubric!.map(({ title }) => title), ['Changed', 'Describes a safe method'])
    assert.equal(copy!.maxWords, 200)
  })
})

describe('Elsewhere in the dashboard', { concurrency: 2 }, () => {
  test('pasted and imported lines that name free text become such questions', async (t) => {
    const made = await organization()
    const user = await dashboard(t, made, '/assessments/import')
    const lines = 'Describe your last job. (free text) (4 points)\nExplanation: Names tasks.\n\nWhy us?\nType: essay'
    await user.field('import.paste.label').fill(lines)
    await user.read('import.understood', { count: 2 })
    assert.equal(await user.page.getByText(user.text('import.graded')).count(), 2)
    await user.field('import.titleLabel').fill('Interview')
    await user.button('import.create').click()
    await user.page.waitForURL(/\/edit/)
    const id = /asm_\w+/.exec(user.page.url())![0]
    const { stages } = await ok(made.api.GET('/v1/assessments/{id}', { params: { path: { id } } }))
    const found = stages[0]!.questions.map(({ type, prompt, points, explanation }) => [type, prompt, points, explanation])
    assert.deepEqual(found, [
      ['FREE_TEXT', 'Describe your last job.', 4, 'Names tasks.'],
      ['FREE_TEXT', 'Why us?', 1, null],
    ])
    await user.button('editor.paste').click()
    await user.page.getByLabel(user.text('editor.paste.lines')).fill('What went wrong? [essay]')
    await user.button('editor.paste.add', { count: 1 }).click()
    const outline = user.page.locator('.editor-outline .editor-item:not(.stage) .name')
    await until(async () => assert.equal((await outline.allInnerTexts()).at(-1), 'What went wrong?'))
  })

  test('a correction offers only what needs no key', async (t) => {
    const made = await organization()
    const id = await made.publish(graded)
    const { stages } = await ok(made.api.GET('/v1/assessments/{id}', { params: { path: { id } } }))
    const { id: question } = stages[0]!.questions[0]!
    const user = await dashboard(t, made, `/assessments/${id}/correct?question=${question}`)
    const { page } = user
    const action = (name: string) => page.getByRole('radio', { name: user.text(`correction.action.${name}`) })
    await until(async () => assert.ok(await action('FULL_POINTS').isChecked()))
    assert.equal(await page.locator('[name=action]').count(), 2)
    await action('EXCLUDE').check()
    await user.field('correction.reason').fill('The question was not clear')
    await user.button('correction.next').click()
    await page.getByText(user.text('correction.effect.none', { count: 0 })).waitFor()
  })

  test('taking a draft yourself shows the free text, and goes on without grades', async (t) => {
    const stages = [
      { title: 'Cooling', gate: { required: true, minScore: 50, onFail: 'REVIEW' as const }, questions: [freeText] },
      { title: 'Allergens', questions: [singleChoice] },
    ]
    const user = await openDraft(t, { title: 'Line cook', stages })
    const [tab] = await Promise.all([user.page.context().waitForEvent('page'), user.button('editor.take').click()])
    const taking = new Candidate(tab)
    await taking.start()
    await taking.field().fill('An ice bath.')
    await taking.submitStage()
    await taking.option('57 °C').waitFor()
    await tab.close()
  })
})

describe('A gate', { concurrency: 2 }, () => {
  test('offers three outcomes, and begins with the one that stops', async (t) => {
    const user = await openDraft(t, graded)
    const { page } = user
    const outcome = (name: string) => page.getByRole('radio', { name: user.text(`editor.gate.${name}`) })
    await user.button('editor.stage.edit', { number: 1 }).click()
    await page.getByRole('checkbox', { name: user.text('editor.gate.on') }).check()
    await until(async () => assert.ok(await outcome('DISQUALIFY').isChecked()))
    await page.getByText(user.text('editor.gate.graded')).waitFor()
    for (const onFail of ['REVIEW', 'CONTINUE', 'DISQUALIFY']) {
      await outcome(onFail).check()
      await user.save()
      const { gate } = (await user.saved()).stages[0]!
      assert.deepEqual(gate, { minScore: 50, onFail, required: onFail !== 'CONTINUE' })
    }
  })

  for (const [gate, shown] of [
    [{ required: true, minScore: 60 }, 'DISQUALIFY'],
    [{ required: false, minScore: 60 }, 'CONTINUE'],
    [{ required: true, minScore: 60, onFail: 'REVIEW' }, 'REVIEW'],
  ] as const) {
    test(`of an older client is shown as ${shown}, and publishing says who decides`, async (t) => {
      const stages = [{ title: 'Cooling', gate, questions: [freeText, singleChoice] }]
      const user = await openDraft(t, { title: 'Line cook', stages })
      const { page } = user
      await page.locator('.editor-rules', { hasText: user.text(`editor.gate.${shown}.text`, { score: '60%' }) }).waitFor()
      await user.button('editor.stage.edit', { number: 1 }).click()
      const radio = page.getByRole('radio', { name: user.text(`editor.gate.${shown}`) })
      await until(async () => assert.ok(await radio.isChecked()))
      await user.button('editor.publish').click()
      await page.getByText(user.text('editor.publish.graded', { count: 1 })).waitFor()
      const review = page.getByText(user.text('editor.publish.review', { count: 1 }))
      assert.equal(await review.count(), shown === 'REVIEW' ? 1 : 0)
    })
  }
})

describe('On paper', { concurrency: 2 }, () => {
  test('candidates get lines to write on, and colleagues the keys and the rubric', async (t) => {
    const user = await openDraft(t, graded)
    const { page } = user
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    const print = async (key: string) => {
      await page.locator('summary', { hasText: user.text('editor.print') }).click()
      await user.button(key).click()
      await page.locator('[data-printed]').waitFor()
    }
    const paper = page.locator('.editor-paper')
    const closed = async () => {
      await page.evaluate(() => {
        document.body.removeAttribute('data-printed')
        dispatchEvent(new Event('afterprint'))
      })
      await paper.waitFor({ state: 'detached' })
    }
    await print('editor.print.blank')
    assert.deepEqual(await unprintable(page), [])
    assert.ok((await paper.locator('.editor-paper-lines p').count()) > 10)
    const blank = await paper.textContent()
    for (const secret of [freeText.explanation!, ...freeText.rubric!.map(({ title }) => title), '✓']) {
      assert.ok(!blank!.includes(secret), `candidates get “${secret}”`)
    }
    assert.ok(blank!.includes(freeText.prompt) && blank!.includes('57 °C'))
    await closed()
    await print('editor.print.keys')
    assert.deepEqual(await unprintable(page), [])
    const full = await paper.textContent()
    for (const key of [freeText.explanation!, ...freeText.rubric!.map(({ title }) => title), '✓57 °C']) {
      assert.ok(full!.includes(key), `the paper with keys lacks “${key}”`)
    }
    await closed()
  })
})
