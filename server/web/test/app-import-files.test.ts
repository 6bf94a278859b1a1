// Files in and out: the import of each format, the columns of tables, and the export.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { lineStarts, decode, rowLines } from '../src/app/import/source.ts'
import { ok, organization, type Organization, type Schemas } from './support/api.ts'
import { multipleChoice, numeric, shortText, singleChoice } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { answerImports, imported, question } from './support/imports.ts'
import { answer, requestsTo } from './support/network.ts'
import { until } from './support/until.ts'

after(disconnect)

const questions = [singleChoice, multipleChoice, numeric, shortText]
const kitchen = { title: 'Kitchen safety', stages: [{ title: 'Basics', questions }] }
const choose = (user: User, name: string, content: string | Uint8Array) =>
  user.page
    .locator('.import-file input')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content as string) })

async function screen(t: Parameters<typeof dashboard>[0]) {
  const made = await organization()
  return { made, user: await dashboard(t, made, '/assessments/import') }
}

const draftOf = async ({ api }: Organization) => {
  const [draft] = await ok(api.GET('/v1/assessments'))
  return ok(api.GET('/v1/assessments/{id}', { params: { path: { id: draft!.id } } }))
}

describe('A file', { concurrency: 2 }, () => {
  const written: [Schemas['ExportFormat'], string, string][] = [
    ['ASSAY_JSON', 'kitchen.json', 'Assay JSON'],
    ['CSV', 'kitchen.csv', 'CSV'],
    ['XLSX', 'kitchen.xlsx', 'Excel (XLSX)'],
    ['GIFT', 'kitchen.gift', 'GIFT'],
    ['MOODLE_XML', 'kitchen.xml', 'Moodle XML'],
    ['QTI_2_2', 'kitchen.zip', 'QTI'],
    ['QTI_3_0', 'kitchen.zip', 'QTI'],
  ]
  for (const [format, name, read] of written) {
    test(`that Assay has exported as ${format} is recognised and imported`, async (t) => {
      const { made, user } = await screen(t)
      const { id } = await ok(made.api.POST('/v1/assessments', { body: kitchen }))
      const params = { path: { id }, query: { format } }
      const { data, response } = await made.api.GET('/v1/assessments/{id}/export', { params, parseAs: 'arrayBuffer' })
      assert.equal(response.status, 200)
      await ok(made.api.DELETE('/v1/assessments/{id}', { params: { path: { id } } }))
      await choose(user, name, new Uint8Array(data as unknown as ArrayBuffer))
      await user.read('import.readAs', { format: read })
      await user.read('import.understood', { count: 4 })
      await until(async () => assert.notEqual(await user.field('import.titleLabel').inputValue(), ''))
      await user.button('import.create', { count: 4 }).click()
      await user.page.waitForURL(/\/edit/)
      const draft = await draftOf(made)
      const found = draft.stages.flatMap((stage) => stage.questions).map(({ type }) => type)
      assert.deepEqual(found, questions.map(({ type }) => type))
    })
  }

  test('of people is read as text, with the title of its name and its old encoding', async (t) => {
    const { made, user } = await screen(t)
    const aiken = 'Is Käse made of milk?\r\nA. Yes\r\nB. No\r\nANSWER: A\r\n'
    await choose(user, 'night_porter.txt', Buffer.from(aiken, 'latin1'))
    await user.read('import.understood', { count: 1 })
    assert.match(await user.page.locator('#import-text').inputValue(), /^Is Käse/)
    await until(async () => assert.equal(await user.field('import.titleLabel').inputValue(), 'night porter'))
    await user.button('import.create', { count: 1 }).click()
    await user.page.waitForURL(/\/edit/)
    const { stages } = await draftOf(made)
    assert.equal(stages[0]!.questions[0]!.prompt, 'Is Käse made of milk?')
    assert.equal(stages[0]!.questions[0]!.correctOptionId, 'a')
  })

  test('that is too large, empty, or damaged is refused with what to do', async (t) => {
    const { user } = await screen(t)
    const sent = requestsTo(user.page, '/v1/assessments/import')
    await choose(user, 'all.zip', new Uint8Array(10_485_761))
    await user.read('import.file.tooLarge')
    await choose(user, 'none.csv', '')
    await user.read('import.file.empty')
    assert.equal(sent.length, 0)
    await choose(user, 'questions.xlsx', 'PK\u0003\u0004workbook')
    await user.field('import.format').selectOption('XLSX')
    await user.read('import.notReadable')
    await user.button('import.file.remove').click()
    await user.read('import.nothing.title')
    assert.ok(await user.page.locator('#import-text').isVisible())
  })

  test('is not kept over a reload, and the page says so', async (t) => {
    const { user } = await screen(t)
    await answerImports(user.page, () => imported([question(1)], { format: 'QTI', recognisedFormats: ['QTI'] }))
    await choose(user, 'quiz.zip', 'PK\u0003\u0004')
    await user.read('import.understood', { count: 1 })
    await user.read('import.file.sent')
    // There is no source on the page to show.
    assert.equal(await user.page.locator('.import-about button').count(), 0)
    await user.page.reload()
    await user.read('import.nothing.title')
  })

  test('that is dropped is opened', async (t) => {
    const { user } = await screen(t)
    const transfer = await user.page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['1. Dropped?\nAnswer: 1\n'], 'dropped.txt', { type: 'text/plain' }))
      return data
    })
    await user.page.dispatchEvent('.import-file', 'drop', { dataTransfer: transfer })
    await user.read('import.understood', { count: 1 })
    assert.equal(await user.page.locator('.import-prompt').textContent(), 'Dropped?')
  })
})

describe('A table', { concurrency: 2 }, () => {
  test('without a known heading becomes a draft after a person has given a column its role', async (t) => {
    const { made, user } = await screen(t)
    await choose(user, 'night.csv', 'Stuff;A;B;Correct\nWelche?;Käse;Brot;B\nWelche noch?;x;y;Z\n')
    await user.read('import.note.column_missing')
    await user.page.getByLabel(user.text('import.column.roleOf', { name: 'Stuff' })).selectOption('QUESTION')
    await user.read('import.understood', { count: 2 })
    await user.read('import.note.answer_unknown')
    await user.page.getByRole('button', { name: 'Row 3' }).first().click()
    assert.deepEqual(await user.page.locator('.import-rows .shown span').allInnerTexts(), ['3'])
    await user.button('import.create', { count: 2 }).click()
    await user.page.waitForURL(/\/edit/)
    const { stages } = await draftOf(made)
    const found = stages[0]!.questions.map(({ prompt, correctOptionId }) => [prompt, correctOptionId])
    assert.deepEqual(found, [['Welche?', 'b'], ['Welche noch?', null]])
  })

  test('asks first what an ambiguous column means', async (t) => {
    const { user } = await screen(t)
    const { page } = user
    await page.locator('#import-text').fill('Question,A,B,C,D,Correct\nHow many?,5,6,4,1,1\nAnd now?,2,3,1,4,2\n')
    await user.read('import.ambiguous')
    const first = page.locator('.import-read > *').first()
    assert.match(await first.innerText(), /“Correct”.*: 1/)
    assert.equal(await page.locator('.import-options .correct').count(), 0)
    await first.getByLabel(user.text('import.role.CORRECT_NUMBER')).check()
    await until(async () => {
      assert.deepEqual(await page.locator('.import-options .correct > :nth-child(2)').allTextContents(), ['5', '3'])
    })
    assert.equal(await page.getByText(user.pattern('import.ambiguous')).count(), 0)
    await page.getByLabel(user.text('import.column.roleOf', { name: 'Correct' })).selectOption('CORRECT_TEXT')
    await until(async () => {
      assert.deepEqual(await page.locator('.import-options .correct > :nth-child(2)').allTextContents(), ['1', '2'])
    })
  })

  test('keeps each role but that of options for one column', async (t) => {
    const { user } = await screen(t)
    const { page } = user
    const sent = requestsTo(page, '/v1/assessments/import')
    await page.locator('#import-text').fill('Question,A,B,Correct,Other\nWhich?,x,y,A,z\n')
    await user.read('import.understood', { count: 1 })
    const role = (name: string) => page.getByLabel(user.text('import.column.roleOf', { name }))
    await role('Other').selectOption('OPTION')
    await until(async () => assert.equal(await page.locator('.import-options li').count(), 3))
    await role('Other').selectOption('QUESTION')
    await until(async () => assert.equal(await role('Question').inputValue(), 'IGNORED'))
    assert.match(sent.at(-1)!.url(), /columns=IGNORED,OPTION,OPTION,CORRECT[_A-Z]*,QUESTION/)
    assert.equal(await page.locator('.import-prompt').textContent(), 'z')
  })
})

describe('The export', { concurrency: 2 }, () => {
  test('saves each format under the title of the assessment', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    const user = await dashboard(t, made, `/assessments/${id}`)
    const { page } = user
    for (const [label, name, begins] of [
      ['export.format.ASSAY_JSON', 'kitchen-safety.json', '{'],
      ['export.format.GIFT', 'kitchen-safety.gift', ''],
      ['export.format.QTI_3_0', 'kitchen-safety.zip', 'PK'],
      ['export.format.XLSX', 'kitchen-safety.xlsx', 'PK'],
    ] as const) {
      await page.getByTitle(user.text('assessment.more')).click()
      await user.button('assessment.export').click()
      const dialog = user.dialog('export.title')
      await dialog.getByLabel(user.text(label)).check()
      const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: user.text('export.save') }).click()])
      assert.equal(file.suggestedFilename(), name)
      const content = await buffer(await file.createReadStream())
      assert.ok(content.length > 100 && content.toString('latin1').startsWith(begins), name)
      await dialog.waitFor({ state: 'detached' })
      await user.read('export.done', { name })
    }
  })

  test('says why it did not succeed, and names the guide', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    const user = await dashboard(t, made, `/assessments/${id}`)
    const { page } = user
    await answer(page, '/export', { status: 429, retryAfter: 1, code: 'rate_limited', requestId: 'req_1', times: 1 })
    await page.getByTitle(user.text('assessment.more')).click()
    await user.button('assessment.export').click()
    const dialog = user.dialog('export.title')
    await dialog.getByRole('button', { name: user.text('export.save') }).click()
    await user.read('fault.limited')
    const guide = await dialog.getByRole('link', { name: user.text('export.guide') }).getAttribute('href')
    const chapter = readFileSync(join(import.meta.dirname, '../../../gen/guide/79-questions-in-and-out.md'), 'utf8')
    const words = /^# (.*)/.exec(chapter)![1]!.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')
    assert.equal(guide, `${made.baseUrl}/docs#description/${words}`)
  })
})

test('Each code of a note has a sentence of its own', () => {
  const yaml = readFileSync(join(import.meta.dirname, '../../../openapi.yaml'), 'utf8')
  const codes = /ImportNoteCode: .*?x-extensible-enum: \[(.*?)\]/.exec(yaml)![1]!.split(', ')
  const english = JSON.parse(readFileSync(join(import.meta.dirname, '../src/app/import/en.json'), 'utf8')) as object
  assert.ok(codes.length > 30)
  assert.deepEqual(codes.filter((code) => !(`import.note.${code}` in english)), [])
})

test('Texts that a page reads itself: encodings, lines, and rows', () => {
  const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding))
  assert.equal(decode(bytes('Käse', 'utf8')), 'Käse')
  assert.equal(decode(bytes('Käse', 'latin1')), 'Käse')
  assert.equal(decode(bytes('\ufeffKäse', 'utf16le')), 'Käse')
  assert.deepEqual(lineStarts('a\n\nb'), [0, 2, 3])
  const rows = rowLines('Q,A\n"two\nlines ""quoted""\n",x\nlast "word",y\n')
  assert.deepEqual(rows.map(({ line, lastLine }) => [line, lastLine]), [[1, 1], [2, 4], [5, 5], [6, 6]])
})
