// Segments of an assessment: they are created, chosen, compared, and deleted.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import { ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { counted, kitchen } from './support/results.ts'
import {
  changeData,
  fromTwoSources,
  ofEachSource,
  questionStatisticsPath,
  segmentOf,
  statisticsPath,
  unreliable,
  unusual,
} from './support/segments.ts'
import { sharedServer, startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

interface Prepared {
  made: Organization
  id: string
}

/** An organization with twelve results of each of two sources. */
async function prepare(url = sharedServer()): Promise<Prepared> {
  const made = await organization({ timeZone: 'Europe/Berlin' }, url)
  const id = await made.publish(kitchen)
  await fromTwoSources(made, id)
  await counted(made, id, 2 * ofEachSource)
  return { made, id }
}

let prepared: Promise<Prepared> | undefined
const shared = () => (prepared ??= prepare())

async function onPostgres(t: TestContext): Promise<Prepared> {
  const server = await startServer({ database: 'postgres' })
  t.after(() => server.stop())
  return prepare(server.url)
}

const segmentsOf = ({ made, id }: Prepared) =>
  ok(made.api.GET('/v1/assessments/{id}/segments', { params: { path: { id } } }))

/** The choice of the segment. */
const choice = (user: User) => user.field('segments.choose')
const finished = (user: User) => user.page.locator('.figures .value').first()

describe('A segment', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const)
    test(`is created, compared, and deleted by clicking, on ${database}`, async (t) => {
      const all = await (database === 'postgres' ? onPostgres(t) : prepare())
      const { made, id } = all
      const other = await segmentOf(made, id, 'Careers page', { metadata: { source: 'careers-page' } }, ofEachSource)
      const user = await dashboard(t, made, `/assessments/${id}`, { role: 'EDITOR' })
      await user.button('segments.new').click()
      const dialog = user.dialog('segments.create.title')
      await user.field('segments.name').fill('Job fair')
      await user.button('segments.create.submit').click()
      await user.read('segments.filter.missing')
      await dialog.locator('#field-filter-metadata').fill('source')
      await user.field('segments.metadata.value').fill('job-fair')
      await user.button('segments.create.submit').click()
      await dialog.waitFor({ state: 'detached' })

      // The new segment is chosen, and counts its candidates without a reload.
      const [created] = await segmentsOf(all)
      await user.page.waitForURL(new RegExp(`segment=${created!.id}`))
      await until(async () => assert.equal(await finished(user).innerText(), String(ofEachSource)))
      await user.page.getByText('source: job-fair').waitFor()
      assert.equal(await user.page.getByText(user.text('assessment.funnel.title')).count(), 0)

      // All others are the careers page.
      const card = user.page.locator('.card').filter({ hasText: user.text('segments.compare.title') })
      await card.getByText(/of 12 candidates passed/).nth(1).waitFor()
      await user.read('segments.ratio.BELOW_FOUR_FIFTHS')
      await user.field('segments.compare.with').selectOption(other)
      await user.page.waitForURL(new RegExp(`with=${other}`))
      await card.locator('.meter', { hasText: 'Careers page' }).waitFor()

      await user.page.reload()
      await until(async () => assert.equal(await choice(user).inputValue(), created!.id))
      await until(async () => assert.equal(await finished(user).innerText(), String(ofEachSource)))

      await user.button('segments.delete').click()
      await user.button('segments.delete.confirm').click()
      await user.page.waitForURL((url) => !/segment=|with=/.test(url.search))
      await until(async () => assert.equal(await finished(user).innerText(), String(2 * ofEachSource)))
      assert.deepEqual((await segmentsOf(all)).map(({ name }) => name), ['Careers page'])
    })

  test('the questions have the figures of the segment', async (t) => {
    const { made, id } = await shared()
    const fair = await segmentOf(made, id, 'Job fair', { metadata: { source: 'job-fair' } }, ofEachSource)
    const path = `/assessments/${id}/questions?segment=${fair}&sort=order`
    const user = await dashboard(t, made, path, { role: 'MEMBER' })
    await user.page.getByText('From 12 results: a first impression.').first().waitFor()
    await choice(user).selectOption('')
    await user.page.getByText('From 24 results: a first impression.').first().waitFor()
    await user.page.goBack()
    await user.page.getByText('From 12 results: a first impression.').first().waitFor()
  })

  test('a period is days in the zone of the organization', async (t) => {
    const all = await shared()
    const user = await dashboard(t, all.made, `/assessments/${all.id}`, { role: 'EDITOR' })
    await user.button('segments.new').click()
    await user.field('segments.name').fill('October')
    await user.field('segments.since').fill('2026-10-01')
    await user.field('segments.end').fill('2026-10-31')
    await user.button('segments.create.submit').click()
    await user.page.waitForURL(/segment=/)
    const october = (await segmentsOf(all)).find(({ name }) => name === 'October')!
    const { completedSince, completedUntil } = october.filter
    assert.deepEqual(
      [completedSince, completedUntil].map((at) => Date.parse(at!)),
      [Date.parse('2026-09-30T22:00Z'), Date.parse('2026-10-31T23:00Z')],
    )
    await user.page.getByText(/from .*\b1\b.* 2026, until .*\b31\b.* 2026/).waitFor()
  })

  test('an eleventh one is refused in words', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    await fromTwoSources(made, id)
    await counted(made, id, 2 * ofEachSource)
    const params = { path: { id } }
    for (let attempt = 1; attempt <= 10; attempt++) {
      const body = { name: `Attempt ${attempt}`, filter: { attempt } }
      await ok(made.api.POST('/v1/assessments/{id}/segments', { params, body }))
    }
    const user = await dashboard(t, made, `/assessments/${id}`, { role: 'EDITOR', allow: [/status of 409/] })
    await user.button('segments.new').click()
    await user.field('segments.name').fill('One more')
    await user.page.locator('#field-filter-attempt').fill('1')
    await user.button('segments.create.submit').click()
    await user.read('problem.too_many_segments')
  })

  test('a member chooses one, and learns who can create and delete it', async (t) => {
    const { made, id } = await shared()
    const first = await segmentOf(made, id, 'First attempts', { attempt: 1 }, 2 * ofEachSource)
    const user = await dashboard(t, made, `/assessments/${id}`, { role: 'MEMBER' })
    await choice(user).selectOption(first)
    for (const key of ['segments.new', 'segments.delete']) {
      const button = user.button(key)
      await until(async () => assert.equal(await button.getAttribute('title'), user.text('role.needsEditor')))
      await button.press('Enter')
      assert.equal(await user.page.getByRole('dialog').count(), 0)
    }
  })

  test('a link to a deleted one says so, and leads back to all candidates', async (t) => {
    const { made, id } = await shared()
    const path = `/assessments/${id}?segment=seg_01m9c2v7k3x5z8b1d4f6h9j2m4`
    const user = await dashboard(t, made, path, { role: 'MEMBER', allow: [/status of 404/] })
    await user.page.getByText(user.text('problem.not_found')).first().waitFor()
    await until(async () =>
      assert.equal(await choice(user).locator('option:checked').innerText(), user.text('segments.gone')),
    )
    await choice(user).selectOption('')
    await finished(user).waitFor()
  })
})

test('unreliable scores are a warning above the overview and the questions', async (t) => {
  const { made, id } = await shared()
  const user = await dashboard(t, made, `/assessments/${id}`, {
    before: async (page) => {
      await changeData(page, statisticsPath, unreliable)
      await changeData(page, questionStatisticsPath, unusual)
    },
  })
  const card = user.page.locator('.card').filter({ hasText: user.text('reliability.title') })
  await card.locator('.note.warn').getByText(/^Too low for decisions about single candidates/).waitFor()
  const figures = 'Cronbach’s alpha 0.3 · 95% interval 0.23 to 0.35 · Standard error 17 percentage points'
  await card.getByText(figures).waitFor()
  await user.page.locator('.tabs').getByRole('link', { name: user.text('assessment.tab.questions') }).click()
  const note = user.page.locator('.note.warn')
  await note.getByText(/^The scores are too unreliable.*1 of 10 questions needs your attention/).waitFor()
  await user.page.getByText(/^Stronger candidates choose “.*” rather than the correct option/).waitFor()
  await user.page.getByText('Without this question, Cronbach’s alpha would be 0.34 instead of 0.3.').waitFor()
})
