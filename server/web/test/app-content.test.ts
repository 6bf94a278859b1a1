// From an empty organization to the first result, the list of assessments, and the ways to a new one.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { maxBytes, maxTitle } from '../src/app/import/contract.ts'
import { eventually, ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { Candidate } from './support/journey.ts'
import { answer } from './support/network.ts'
import { finished, kitchen } from './support/results.ts'
import { sample, sampleIds } from './support/samples.ts'
import { until } from './support/until.ts'

after(disconnect)

test('each sample is complete, can be published, and has all four types of questions', async () => {
  const made = await organization()
  const listed = readFileSync(join(import.meta.dirname, '../src/app/samples/samples.ts'), 'utf8')
  for (const id of sampleIds) {
    const body = sample(id)
    const detail = await ok(made.api.POST('/v1/assessments', { body }))
    await ok(made.api.POST('/v1/assessments/{id}/publish', { params: { path: { id: detail.id } } }))
    const questions = body.stages!.flatMap((stage) => stage.questions!)
    assert.ok(questions.length >= 12 && questions.length <= 18, `${id} has ${questions.length} questions`)
    assert.equal(new Set(questions.map(({ type }) => type)).size, 4, id)
    assert.ok(
      questions.every(({ explanation }) => explanation),
      `an explanation is missing in ${id}`,
    )
    const entry = `{ id: '${id}', questionCount: ${questions.length}, minutes: ${body.timeLimitMinutes}, address: ${id} }`
    assert.ok(listed.includes(entry), `samples.ts lacks ${entry}`)
  }
})

test('the limits of the import are those of the contract', () => {
  const yaml = readFileSync(join(import.meta.dirname, '../../../openapi.yaml'), 'utf8')
  assert.match(yaml, new RegExp(`^    Title: .*maxLength: ${maxTitle}[,}]`, 'm'))
  assert.match(yaml, new RegExp(`operationId: importAssessment[^]*?x-max-body-bytes: ${maxBytes}\\n`))
})

test('home: from an empty organization to the first result by clicking', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made)
  await user.button('home.create.go').click()
  await user.read('home.create.done', { title: 'Customer support agent' })
  await until(async () => assert.equal(await user.button('home.invite.go').count(), 0))

  const opened = user.page.waitForEvent('popup')
  await user.button('assessment.take').click()
  const tab = await opened
  await new Candidate(tab).startButton().waitFor()
  await tab.close()
  await user.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await user.page
    .getByRole('listitem')
    .filter({ hasText: user.text('home.take.title') })
    .getByText('(done)')
    .waitFor()

  await user.link('home.invite.go').click()
  await user.page.waitForURL(/\/app\/invite\?assessment=asm_/)
  const id = new URL(user.page.url()).searchParams.get('assessment')!
  await finished(made, id, 1, sample('support'))

  await user.page
    .getByRole('link', { name: user.pattern('nav.home') })
    .first()
    .click()
  await user.page.getByRole('link', { name: /Ada Lovelace/ }).waitFor()
  await user.button('home.webhook.dismiss').click()
  await user.read('home.attention.none')
  await until(async () => assert.equal(await user.page.getByText(user.text('home.steps.last')).count(), 0))
})

test('home: what needs attention links to where it is solved', async (t) => {
  const made = await organization({ inviteExpiryDays: 1 })
  const id = await made.publish(kitchen)
  const { sessionId } = await made.invite(id)
  const draft = await ok(made.api.POST('/v1/assessments', { body: { title: 'Shift lead', stages: [] } }))
  const user = await dashboard(t, made)
  const hrefOf = (name: RegExp) => user.page.getByRole('main').getByRole('link', { name }).getAttribute('href')
  await until(async () => assert.equal(await hrefOf(/Mei Lindqvist/), `/app/candidates/${sessionId}`))
  await until(async () => assert.equal(await hrefOf(/Shift lead/), `/app/assessments/${draft.id}/edit`))
})

test('home: an error is shown with its request id, and the person tries again', async (t) => {
  const made = await organization()
  await made.invite(await made.publish(kitchen))
  const user = await dashboard(t, made, '/', {
    allow: [/500/],
    before: (page) =>
      answer(page, '/v1/overview', { status: 500, code: 'internal_error', requestId: 'req_home', times: 1 }),
  })
  const alert = user.page.getByRole('alert')
  await alert.getByText('req_home').waitFor()
  await user.button('fault.retry').click()
  await user.read('home.attention.none')
})

test('assessments: search, tabs, and sorting are in the address, and Back works', async (t) => {
  const made = await organization()
  await made.publish(kitchen)
  for (const title of ['Bookkeeper', 'Shift lead']) {
    await ok(made.api.POST('/v1/assessments', { body: { title, stages: [] } }))
  }
  const user = await dashboard(t, made, '/assessments')
  const titles = () => user.page.locator('tbody td:first-child a').allInnerTexts()
  const shows = (...expected: string[]) => eventually(titles, (found) => found.join() === expected.join())
  await shows('Shift lead', 'Bookkeeper', kitchen.title)

  await user.button('assessments.column.title').click()
  await shows('Shift lead', kitchen.title, 'Bookkeeper')
  await until(async () =>
    assert.equal(await user.page.locator('th[aria-sort=descending]').innerText(), user.text('assessments.column.title')),
  )
  await user.link('assessments.drafts').click()
  await shows('Shift lead', 'Bookkeeper')
  await user.page.keyboard.press('/')
  await user.page.keyboard.type('book')
  await shows('Bookkeeper')
  assert.match(user.page.url(), /sort=-title.*status=DRAFT.*q=book|q=book/)
  await user.page.goBack()
  await shows('Shift lead', 'Bookkeeper')
  await user.page.getByRole('searchbox').fill('astronaut')
  await user.button('state.noMatch.clear').click()
  await shows('Shift lead', kitchen.title, 'Bookkeeper')
})

test('assessments: the menu of a row deletes a draft and archives, after a question with the title', async (t) => {
  const made = await organization()
  await made.publish(kitchen)
  await ok(made.api.POST('/v1/assessments', { body: { title: 'Shift lead', stages: [] } }))
  const user = await dashboard(t, made, '/assessments')
  await user.row('Shift lead').locator('summary').click()
  await user.button('assessment.delete').click()
  await user.dialog('assessment.delete.question').getByText('Shift lead').waitFor()
  await user
    .dialog('assessment.delete.question')
    .getByRole('button', { name: user.pattern('assessment.delete') })
    .click()
  await user.row('Shift lead').waitFor({ state: 'detached' })

  await user.row(kitchen.title).locator('summary').click()
  await user.button('assessment.archive').click()
  const question = user.dialog('assessment.archive.question')
  await question.getByRole('button', { name: user.pattern('assessment.archive') }).click()
  await user.row(kitchen.title).getByText(user.text('assessment.status.ARCHIVED'), { exact: true }).waitFor()
})

test('assessments: a member sees why they cannot create one', async (t) => {
  const user = await dashboard(t, await organization(), '/assessments', { role: 'MEMBER' })
  const create = user.button('assessments.new')
  await create.waitFor()
  await until(async () => assert.equal(await create.getAttribute('aria-disabled'), 'true'))
  await until(async () => assert.equal(await create.getAttribute('aria-description'), user.text('role.needsEditor')))
})

test('a new assessment: a sample, and a blank one whose title is required', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, '/assessments/new')
  await user.button('new.blank.create').click()
  await user.read('new.blank.required')
  await user.field('new.blank.name').fill('Night porter')
  await user.button('new.blank.create').click()
  await user.page.waitForURL(/\/app\/assessments\/asm_\w+\/edit/)

  await user.page.goto(`${made.baseUrl}/app/assessments/new`)
  await user.button('new.sample.useNamed', { title: 'Bookkeeper' }).click()
  await user.page.waitForURL(/\/app\/assessments\/asm_\w+\/edit/)
  const found = await ok(made.api.GET('/v1/assessments'))
  assert.deepEqual(
    found.map(({ title, status, questionCount }) => [title, status, questionCount]),
    [
      ['Bookkeeper', 'DRAFT', 15],
      ['Night porter', 'DRAFT', 0],
    ],
  )
})
