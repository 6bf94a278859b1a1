// Nothing that a person types in the dashboard is lost: by a link of the menu, Back, a closed dialog, or a reload. It
// ends with the sign-in, and another person never sees it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test, type TestContext } from 'node:test'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { ok, organization, type Organization } from './support/api.ts'
import { browser, disconnect } from './support/chromium.ts'
import { colleague, dashboard as open, startSession, type DashboardOptions, type User } from './support/dashboard.ts'
import { allBut, kitchen, work } from './support/results.ts'
import { until } from './support/until.ts'
import { withEmail } from './support/with_email.ts'

after(async () => {
  await (await signedIn)?.close()
  await disconnect()
})

let signedIn: Promise<BrowserContext> | undefined

/** The owner signs in once, because the server limits how often a person can. Each page is a tab of its own. */
async function dashboard(t: TestContext, made: Organization, path: string, more: DashboardOptions = {}): Promise<User> {
  signedIn ??= (async () => {
    const settings = { viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce' } as const
    const context = await (await browser()).newContext(settings)
    await startSession(context, made.baseUrl, made.owner)
    return context
  })()
  const user = await open(t, made, path, { context: await signedIn, ...more })
  t.after(() => user.page.close())
  return user
}

interface Prepared {
  made: Organization
  id: string
  draft: string
  webhook: string
  invited: string
  working: string
  done: string
  questionId: string
}

let prepared: Promise<Prepared> | undefined
const shared = () => (prepared ??= prepare())

async function prepare(): Promise<Prepared> {
  const made = await organization()
  const id = await made.publish(kitchen)
  const [invited, working, finished] = await Promise.all([made.invite(id), made.invite(id), made.invite(id)])
  await Promise.all([work(working, kitchen, allBut(), 1), work(finished, kitchen, allBut(1))])
  const comments = { params: { path: { id: finished.sessionId } } }
  await ok(made.api.POST('/v1/candidate-sessions/{id}/review/comments', { ...comments, body: { text: 'Friendly' } }))
  const endpoint = { url: 'https://hooks.example/', events: ['candidate.completed' as const] }
  const { id: webhook } = await ok(made.api.POST('/v1/webhooks', { body: endpoint }))
  const { id: draft } = await ok(made.api.POST('/v1/assessments', { body: kitchen }))
  const { stages } = await ok(made.api.GET('/v1/candidate-sessions/{id}/result', comments))
  const question = stages[2]!.questions[0]!
  const body = { questionId: question.id, action: 'FULL_POINTS', policy: 'NEVER_LOWER', reason: 'Unclear' } as const
  await ok(made.api.POST('/v1/assessments/{id}/corrections', { params: { path: { id } }, body }))
  const questionId = stages[0]!.questions[0]!.id
  const sessions = { invited: invited.sessionId, working: working.sessionId, done: finished.sessionId }
  return { made, id, draft, webhook, ...sessions, questionId }
}

interface Walk {
  /** The file in src/app, and the name of the draft in it. */
  draft: string
  path(prepared: Prepared): string
  /** Opens the form. */
  reach?(user: User): Promise<unknown>
  /** What contains the fields. */
  root: string
  /** Types what `fill` cannot. */
  type?(user: User, root: Locator): Promise<unknown>
  before?: DashboardOptions['before']
  /** Whether discarding leaves the fields where they were. What was loaded goes away with them. */
  isGoneAfter?: boolean
}

const press = (key: string) => (user: User) => user.button(key).first().click()
const inMenu = (more: string, key: string) => async (user: User) => {
  await user.page.getByLabel(user.text(more)).first().click()
  await user.page.locator('details.more[open]').getByRole('button', { name: user.text(key), exact: true }).click()
}
const select = async (user: User) => {
  await user.page.getByRole('checkbox', { name: user.text('candidates.selectAll') }).check()
  await user.button('candidates.setState').click()
}
const candidate = (which: 'invited' | 'working' | 'done') => (prepared: Prepared) => `/candidates/${prepared[which]}`
const table = 'Name,Email,Reference\nMei Lindqvist,mei@candidate.example,A-1\nTheo Marsh,theo@candidate.example,A-2\n'

const late: Walk['before'] = async (page) => {
  // An answer can be late only after a minute, which is too long for a test.
  const { questionId } = await shared()
  const given = { questionId, answer: { optionId: 'o2' }, arrivedAt: '2026-11-26T12:00:00Z' }
  const json = { data: [{ ...given, secondsLate: 4, points: 2, counted: false }] }
  const headers = { 'X-Request-Id': 'req_01m6gagea5f23rz6arqmjfkxcm' }
  await page.route('**/late-answers', (route) => route.fulfill({ headers, json }))
}

const walks: Walk[] = [
  { draft: 'profile/profile.tsx person', path: () => '/profile', root: 'main form >> nth=0' },
  { draft: 'new/new.tsx blank', path: () => '/assessments/new', root: 'main form' },
  { draft: 'assessment/repeat.tsx repeat', path: ({ id }) => `/assessments/${id}/settings`, root: 'main form >> nth=0' },
  {
    draft: 'invite/registration.tsx registration',
    path: ({ id }) => `/invite?assessment=${id}&link=1`,
    root: 'main form',
  },
  ...['general', 'candidates', 'brand', 'region', 'email'].map((name) => ({
    draft: 'settings/settings.tsx name',
    path: () => '/settings',
    root: `#${name} form`,
  })),
  { draft: 'email-texts/email_texts.tsx draft', path: () => '/settings?email=REMINDER&language=fr', root: '#words form' },
  {
    draft: 'email-texts/email_texts.tsx draft',
    path: ({ id }) => `/assessments/${id}/settings`,
    root: '.email-texts form',
  },
  { draft: 'settings/states.tsx states', path: () => '/settings', root: '#states form' },
  { draft: 'api-keys/create.tsx create', path: () => '/api-keys', reach: press('apiKeys.create'), root: 'dialog form' },
  { draft: 'members/dialogs.tsx invite', path: () => '/members', reach: inviteMember, root: 'dialog form' },
  {
    draft: 'correction/corrections.tsx withdraw',
    path: ({ id }) => `/assessments/${id}/corrections`,
    reach: press('correction.withdraw.ask'),
    root: 'dialog form',
  },
  { draft: 'webhooks/add.tsx add', path: () => '/webhooks', reach: press('webhooks.add'), root: 'dialog form' },
  ...(['edit', 'rotate', 'replay'] as const).map((name) => ({
    draft: `webhooks/${name === 'replay' ? 'replay' : 'settings'}.tsx ${name}`,
    path: ({ webhook }: Prepared) => `/webhooks/${webhook}`,
    reach: inMenu('webhooks.more', `webhooks.${name}`),
    root: 'dialog form',
  })),
  { draft: 'candidate/comments.tsx comment', path: candidate('done'), root: '.comments > form' },
  {
    draft: 'candidate/edit_comment.tsx comment id',
    path: candidate('done'),
    reach: async (user) => {
      await user.page.locator('.comments details.more > summary').first().click()
      const edit = { name: user.text('candidate.comments.edit') }
      await user.page.locator('.comments').getByRole('button', edit).click()
    },
    root: '.comments li form',
  },
  { draft: 'candidate/review.tsx state', path: candidate('done'), root: '.review-state', type: changeState },
  {
    draft: 'candidate/forms.tsx extend',
    path: candidate('working'),
    reach: press('candidate.extend'),
    root: 'dialog form',
  },
  {
    draft: 'candidate/forms.tsx change',
    path: candidate('invited'),
    reach: inMenu('candidate.more', 'candidate.change'),
    root: 'dialog form',
  },
  {
    draft: 'candidate/reopen.tsx reopen',
    path: candidate('done'),
    reach: inMenu('candidate.more', 'candidate.reopen'),
    root: 'dialog form',
  },
  {
    draft: 'result_links/share.tsx share',
    path: candidate('done'),
    reach: inMenu('candidate.more', 'candidate.share'),
    root: 'dialog form',
  },
  {
    draft: 'candidate/count_dialog.tsx count',
    path: candidate('done'),
    reach: press('candidate.late.count'),
    root: 'dialog form',
    before: late,
  },
  {
    draft: 'candidate/grade_dialog.tsx grade',
    path: ({ done }) => `/candidates/${done}?answers=wrong`,
    reach: press('candidate.grade.change'),
    root: 'dialog form',
  },
  {
    draft: 'candidates/set_state.tsx state',
    path: () => '/candidates',
    reach: select,
    root: 'dialog .form-row:has([name=reason])',
  },
  {
    draft: 'decision_email/email.tsx email',
    path: () => '/candidates',
    before: withEmail,
    reach: async (user) => {
      await select(user)
      const dialog = user.page.getByRole('dialog')
      await dialog.getByLabel(user.text('candidates.state'), { exact: true }).selectOption('rejected')
      await user.page.getByLabel(user.text('candidates.email'), { exact: true }).check()
    },
    root: '.candidates-email',
  },
  {
    draft: 'invite/one.tsx draft',
    path: ({ id }) => `/invite?assessment=${id}`,
    root: '.invite-one form',
    reach: openMore,
  },
  { draft: 'invite/source.tsx paste', path: ({ id }) => `/invite?assessment=${id}&many=1`, root: '.invite-source' },
  {
    draft: 'invite/many.tsx table',
    path: ({ id }) => `/invite?assessment=${id}&many=1`,
    root: '.invite-columns',
    type: loadTable,
    isGoneAfter: true,
  },
  { draft: 'import/import.tsx source', path: () => '/assessments/import', root: '.import-source' },
  {
    draft: 'import/import.tsx title',
    path: () => '/assessments/import',
    root: '.import',
    type: importQuestions,
    isGoneAfter: true,
  },
  {
    draft: 'editor/paste.tsx paste',
    path: ({ draft }) => `/assessments/${draft}/edit`,
    reach: press('editor.paste'),
    root: 'dialog .form-row',
  },
]

async function inviteMember(user: User): Promise<void> {
  // The open dialog is in the address.
  if (!user.page.url().includes('dialog=')) await press('members.invite')(user)
}

async function openMore({ page }: User): Promise<void> {
  await page.locator('.invite-more > summary').click()
}

async function changeState({ page }: User): Promise<void> {
  await page.locator('#review-state').selectOption('shortlisted')
  await page.locator('.review-state [name=reason]').fill('Strong in both stages')
}

async function loadTable({ page }: User): Promise<void> {
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
  await page.locator('.invite-source input[type=file]').setInputFiles(file)
  await page.locator('.invite-columns summary').click()
  await page.locator('.invite-columns select').last().selectOption('ignore')
}

async function importQuestions({ page }: User): Promise<void> {
  await page.locator('#import-text').fill('1. Is sesame an allergen?\na) Yes *\nb) No\n')
  await page.locator('.import-create [name=title]').fill('Allergens')
}

/** Changes each field, also those that appear meanwhile, and skips what is no field for typing. */
async function fill(root: Locator): Promise<void> {
  const fields = root.locator('input:not([type=file], [type=color]), select, textarea')
  await fields.first().waitFor()
  for (let i = 0; i < (await fields.count()); i++) {
    const field = fields.nth(i)
    if (!(await field.isEnabled()) || !(await field.isEditable().catch(() => true))) continue
    const [kind, value] = await field.evaluate((element) => {
      const { tagName, type, value } = element as HTMLInputElement
      return [tagName === 'SELECT' ? 'select' : type, value] as const
    })
    if (kind === 'checkbox') await field.setChecked(!(await field.isChecked()))
    else if (kind === 'radio') await field.check()
    else if (kind === 'select') {
      const options = field.locator('option')
      const values = await options.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
      const other = values.find((option) => option !== value)
      if (other !== undefined) await field.selectOption(other)
    } else {
      const typed = { number: '37', date: '2027-03-04', 'datetime-local': '2027-03-04T05:06' }[kind] ?? `typed ${i}`
      await field.fill((await field.getAttribute('maxlength')) === '7' ? '#123456' : typed)
    }
  }
}

/** The values of all fields, by their order. */
const valuesOf = (root: Locator): Promise<string[]> =>
  root.locator('input:not([type=file], [type=color]), select, textarea').evaluateAll((fields) =>
    fields.map((field) => {
      const { name, type, value, checked } = field as HTMLInputElement
      return `${name}: ${/checkbox|radio/.test(type) ? checked : value}`
    }),
  )

const note = (page: Page, root: Locator) =>
  root.or(page.locator('main, dialog')).getByText('Your unsaved changes are back')

async function comesBack(user: User, root: Locator, typed: string[], how: string): Promise<void> {
  await until(async () => assert.deepEqual(await valuesOf(root), typed, `after ${how}`))
  await note(user.page, root).first().waitFor()
}

/** The default of some fields is the present minute. */
const untimed = (values: string[]) => values.map((value) => value.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d$/, 'a time'))

async function walk(t: TestContext, { path, reach, root: selector, type, before, isGoneAfter }: Walk): Promise<void> {
  const all = await shared()
  const user = await dashboard(t, all.made, path(all), { ...(before && { before }) })
  const { page } = user
  const root = page.locator(selector)
  const reopen = async () => {
    await user.page.locator('main h1').first().waitFor()
    await reach?.(user)
  }
  await reopen()
  if (!type) await root.locator('input, select, textarea').first().waitFor()
  const empty = type ? [] : await valuesOf(root)
  await (type ? type(user, root) : fill(root))
  const typed = await valuesOf(root)
  assert.ok(typed.length > 0)
  assert.notDeepEqual(typed, empty)

  if (await page.locator('dialog').count()) {
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.reload()
    await reopen()
    await comesBack(user, root, typed, 'a closed dialog and a reload')
    await page.keyboard.press('Escape')
  }
  await page.locator('.wide-nav').getByRole('link', { name: user.text('nav.events'), exact: true }).click()
  await user.heading('events.title').waitFor()
  await page.goBack()
  await reopen()
  await comesBack(user, root, typed, 'a link of the menu and Back')
  await page.reload()
  await reopen()
  await comesBack(user, root, typed, 'a reload')

  await user.button('draft.discard').first().click()
  if (isGoneAfter) await root.locator('[name=title], table, .column-list').first().waitFor({ state: 'detached' })
  else if (!type) await until(async () => assert.deepEqual(untimed(await valuesOf(root)), untimed(empty), 'after Discard'))
  await page.reload()
  await reopen()
  if (!type) await until(async () => assert.deepEqual(untimed(await valuesOf(root)), untimed(empty), 'a reload after Discard'))
  assert.equal(await note(page, root).count(), 0)
  await until(async () => assert.deepEqual(await stored(page), []))
}

const stored = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('assay.draft')))

/** Forms that keep nothing, each with its reason. */
const without: Record<string, string> = {
  'candidates/spreadsheet.tsx': 'choices with defaults, and no text',
  'core/time_range.tsx': 'a filter is in the address',
  'correction/effect.tsx': 'it has no fields',
  'correction/what.tsx': 'draft.ts keeps it; see app-corrections',
  'members/access.tsx': 'choices, and no text',
  'profile/profile.tsx': 'passwords',
  'settings/states.tsx': 'useDraft keeps the rows',
  'candidate/change_state.tsx': 'useDraft keeps the choice in review.tsx',
  'candidate/add_tag.tsx': 'a tag is a word or two',
  'candidates/set_tags.tsx': 'a tag is a word or two',
  'sign-in/form.tsx': 'passwords',
  'sign-in/register.tsx': 'passwords',
  // What is typed there is a sure sign, not a text.
  'candidate/dialogs.tsx': 'the name before an erasure',
}
/** A choice that is no text, with a default that is right for almost everybody. */
const unwalked = ['candidate/forms.tsx resend']

const folder = join(import.meta.dirname, '../src/app')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(join(folder, file), 'utf8') }))

describe('What was typed', { concurrency: 2 }, () => {
  test('in each form and field of the sources is walked here', () => {
    const drafts = sources.flatMap(({ file, source }) =>
      [
        ...[...source.matchAll(/<Form\s+draft=(?:"(.*?)"|\{`?(.*?)`?\})[\s>]/g)].map((found) => found[1] ?? found[2]!),
        ...[...source.matchAll(/useDraft(?:<.*?>)?\(['`](\w+)/g)].map((found) => found[1]!),
      ].map((name) => `${file} ${name}`),
    )
    // A comment has a form for a new one and a form for each.
    const names = drafts.map((name) => name.replace(' ${comment.id}', ' id').replace(/ \$\{.*\}/, ''))
    const expected = names.filter((name) => !name.endsWith(' undefined') && !name.startsWith('core/'))
    const walked = [...walks.map(({ draft }) => draft), ...unwalked]
    assert.deepEqual([...new Set(expected)].sort(), [...new Set(walked)].sort())

    const forms = sources.flatMap(({ file, source }) => [...source.matchAll(/<Form\b|<form\b/g)].map(() => file))
    assert.ok(forms.length > 25)
    for (const { file, source } of sources) {
      if (file === 'core/forms.tsx') continue
      const isKept = /<Form\s+draft=(?!\{undefined\})|useDraft/.test(source)
      const keepsNothing = /draft=\{undefined\}|<form\b/.test(source)
      if (keepsNothing) assert.ok(file in without, `${file} has a form that keeps nothing, and no reason`)
      // The fields of some forms are in a file of their own, and the editor saves by itself.
      const isPart = /^(editor\/|settings\/(sections|brand|results)|webhooks\/form|correction\/what|sign-in\/)/.test(file)
      const hasFields = /<textarea\b|<TextField\b/.test(source) && !isPart
      assert.ok(!hasFields || isKept || file in without, `${file} has fields, but keeps nothing`)
    }
  })

  for (const one of walks) test(`is kept: ${one.draft} ${one.root}`, (t) => walk(t, one))

  test('is gone after it was saved', async (t) => {
    const { made, done } = await shared()
    const user = await dashboard(t, made, `/candidates/${done}`)
    await user.field('candidate.comments.label').fill('Can start in March')
    await until(async () => assert.equal((await stored(user.page)).length, 1))
    await user.button('candidate.comments.add').click()
    await user.page.locator('.comments').getByText('Can start in March').waitFor()
    await until(async () => assert.deepEqual(await stored(user.page), []))
    await user.page.reload()
    await user.page.locator('.comments').getByText('Can start in March').waitFor()
    assert.equal(await user.field('candidate.comments.label').inputValue(), '')
  })

  test('is never a password, also not a visible one', async (t) => {
    const { made } = await shared()
    const user = await dashboard(t, made, '/profile')
    const form = user.page.locator('form').filter({ has: user.page.locator('[autocomplete=new-password]') })
    if ((await form.count()) === 0) await user.button('profile.password.change').first().click()
    await form.locator('[autocomplete=new-password]').fill('a secret of the harbour')
    await form.getByRole('button', { name: user.text('password.show') }).last().click()
    await form.locator('[autocomplete=new-password]').fill('another secret of the harbour')
    await user.page.waitForTimeout(100)
    assert.doesNotMatch(await user.page.evaluate(() => JSON.stringify({ ...sessionStorage })), /harbour/)
  })

  test('ends with the sign-in in each tab, and another person never sees it', async (t) => {
    const { made } = await shared()
    const [one, other] = [await colleague(made, 'ADMIN'), await colleague(made, 'ADMIN')]
    const user = await open(t, made, '/settings', { person: one })
    const { page } = user
    const name = user.field('settings.name')
    const before = await name.inputValue()
    await name.fill('Quayside')
    await until(async () => assert.equal((await stored(page)).length, 1))
    const second = await dashboard(t, made, '/assessments/new', { context: page.context() })
    await second.page.locator('main form [name=title]').fill('Sommelier')
    await until(async () => assert.equal((await stored(second.page)).length, 1))

    // The sign-in ends without a click, and another person signs in.
    await page.context().clearCookies()
    await startSession(page.context(), made.baseUrl, other)
    await page.reload()
    await name.waitFor()
    assert.equal(await name.inputValue(), before)
    assert.equal(await note(page, page.locator('main')).count(), 0)
    await page.context().clearCookies()
    await startSession(page.context(), made.baseUrl, one)
    await page.reload()
    await until(async () => assert.equal(await name.inputValue(), 'Quayside'))

    await page.locator('.account > summary').click()
    await page.locator('.account').getByRole('button', { name: user.text('nav.signOut') }).click()
    await user.see('signIn.title')
    assert.deepEqual(await stored(page), [])
    await second.see('signIn.title')
    assert.deepEqual(await stored(second.page), [])
    await startSession(page.context(), made.baseUrl, one)
    await page.goto(`${made.baseUrl}/app/settings`)
    await name.waitFor()
    assert.equal(await name.inputValue(), before)
  })

  test('is bounded: the oldest goes first', async (t) => {
    const { made } = await shared()
    const user = await dashboard(t, made, '/assessments/import')
    const { page } = user
    await page.evaluate(() => {
      for (const [i, at] of [3, 1, 2].entries()) {
        sessionStorage.setItem(`assay.draft somebody ${i}`, JSON.stringify({ at, value: 'x'.repeat(900_000) }))
      }
    })
    await page.locator('#import-text').fill('A question?')
    await until(async () => {
      const left = await stored(page)
      const others = left.filter((name) => name.includes('somebody')).sort()
      assert.deepEqual(others, ['assay.draft somebody 0', 'assay.draft somebody 2'])
      assert.equal(left.length, 3)
    })
  })
})
