// Nothing that a person types in the dashboard is lost: by a link of the menu, Back, a closed dialog, or a reload. It
// ends with the sign-in, and another person never sees it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test, type TestContext } from 'node:test'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { ok, type Organization } from './support/api.ts'
import { browser, disconnect } from './support/chromium.ts'
import { colleague, dashboard as open, startSession, type DashboardOptions, type User } from './support/dashboard.ts'
import { shared, walks, type Walk } from './support/draft_walks.ts'
import { until } from './support/until.ts'

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

/** Changes each field, including fields that appear meanwhile, and skips fields that are not for typing. */
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
  // The code that keeps it is loaded with the first form.
  await until(async () => assert.notDeepEqual(await stored(page), []))

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

const contents = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }))

/** A screen that asks for the code for drafts, and gets it when `load` is called. */
async function late(
  t: TestContext,
  made: Organization,
  path: string,
  before?: (page: Page, asked: Promise<void>) => Promise<void>,
) {
  const [asked, isAsked] = signal()
  const [called, load] = signal()
  const user = await dashboard(t, made, path, {
    before: async (page) => {
      await page.route(/\/part-draft-\w+\.js$/, async (route) => {
        isAsked()
        await called
        await route.continue()
      })
      await before?.(page, asked)
    },
  })
  return { user, page: user.page, asked, load }
}

function signal(): [Promise<void>, () => void] {
  let give = () => {}
  const given = new Promise<void>((done) => (give = done))
  return [given, give]
}

/** Forms that keep nothing, each with its reason. */
const without: Record<string, string> = {
  'candidates/spreadsheet.tsx': 'choices with defaults, and no text',
  'company/company.tsx': 'the address before a sign-in',
  'core/time_range.tsx': 'a filter is in the address',
  'correction/effect.tsx': 'it has no fields',
  'correction/what.tsx': 'draft.ts keeps it; see app-corrections',
  'export/dialog.tsx': 'a choice with a default, and no text',
  'grading/desk.tsx': 'turn.ts keeps it, and the server has it as a draft; see app-grading',
  'integrations/connect.tsx': 'a secret',
  'members/access.tsx': 'choices, and no text',
  'pools/keep.tsx': 'tags, which can be added to the question in the bank; the editor keeps the question',
  'pools/picker.tsx': 'what is searched, and choices',
  'profile/profile.tsx': 'passwords',
  'second_factor/add.tsx': 'a password and a code',
  'second_factor/after_password.tsx': 'a password and a code',
  'second_factor/proof.tsx': 'a code',
  'settings/states.tsx': 'useDraft keeps the rows',
  'candidate/change_state.tsx': 'useDraft keeps the choice in review.tsx',
  'candidate/add_tag.tsx': 'a tag is a word or two',
  'candidates/set_tags.tsx': 'a tag is a word or two',
  'sign-in/form.tsx': 'passwords',
  'sign-in/register.tsx': 'passwords',
  // What is typed there is a sure sign, not a text.
  'candidate/dialogs.tsx': 'the name before an erasure',
  'protection/deletion.tsx': 'the name before a deletion',
  'protection/erase.tsx': 'the address before an erasure',
  // Nothing about the person stays in the browser.
  'protection/person.tsx': 'the address of a person',
  'groups/voluntary.tsx': 'useDraft keeps the fields',
  'protection/retention.tsx': 'useDraft keeps the fields',
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
      const isPart = /^(editor\/|import\/lines|pools\/form|protection\/state_rows|settings\/(sections|brand|results)|webhooks\/form|correction\/what|decision\/points_field|sign-in\/)/.test(file)
      const hasFields = /<textarea\b|<TextField\b/.test(source) && !isPart
      assert.ok(!hasFields || isKept || file in without, `${file} has fields, but keeps nothing`)
    }
  })

  for (const one of walks) test(`is kept: ${one.draft} ${one.root}`, (t) => walk(t, one))

  test('is kept also if it was typed before the code that keeps it was loaded, in a slow browser', async (t) => {
    const { made } = await shared()
    const { page, asked, load } = await late(t, made, '/settings/sign-in', async (page, asked) => {
      // Preact runs effects after the next frame, at the latest after 35 ms.
      await page.addInitScript(() => {
        const { setTimeout } = window
        window.requestAnimationFrame = () => 0
        const slow = (act: () => void, delay = 0) => setTimeout(act, delay === 35 ? 2000 : delay)
        window.setTimeout = slow as typeof setTimeout
      })
      // Another form of the screen loads the code before the effects of this one run.
      await page.route('**/v1/organization/domains', async (route) => {
        await asked
        await route.continue()
      })
    })
    await asked
    await page.locator('#domains form input').fill('harbour.example')
    assert.deepEqual(await stored(page), [])
    load()
    await until(async () => assert.match(await contents(page), /harbour\.example/))
  })

  test('is kept also in a field that has appeared before the code that keeps it was loaded', async (t) => {
    const { made, id } = await shared()
    const { page, user, load } = await late(t, made, `/assessments/${id}`)
    await user.button('segments.new').first().click()
    await user.field('segments.locale').selectOption({ label: user.text('segments.locale.other') })
    await user.field('segments.locale.tag').fill('nl-BE')
    assert.deepEqual(await stored(page), [])
    load()
    await until(async () => assert.match(await contents(page), /nl-BE/))
  })

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
    assert.doesNotMatch(await contents(user.page), /harbour/)
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

    // The sign-in ends without a click, and the same person signs in.
    await page.context().clearCookies()
    await page.reload()
    await user.see('signIn.title')
    await startSession(page.context(), made.baseUrl, one)
    await page.reload()
    await until(async () => assert.equal(await name.inputValue(), 'Quayside'))

    await page.locator('.account > summary').click()
    await page.locator('.account').getByRole('button', { name: user.text('nav.signOut') }).click()
    await user.button('signOut.go').click()
    await user.see('signIn.title')
    assert.deepEqual(await stored(page), [])
    await second.see('signIn.title')
    assert.deepEqual(await stored(second.page), [])
    await startSession(page.context(), made.baseUrl, one)
    await page.goto(`${made.baseUrl}/app/settings`)
    await name.waitFor()
    assert.equal(await name.inputValue(), before)

    // The sign-in ends without a click, and another person signs in.
    await name.fill('Quayside')
    await until(async () => assert.equal((await stored(page)).length, 1))
    await page.context().clearCookies()
    await startSession(page.context(), made.baseUrl, other)
    await page.reload()
    await name.waitFor()
    assert.equal(await name.inputValue(), before)
    assert.equal(await note(page, page.locator('main')).count(), 0)
    await until(async () => assert.deepEqual(await stored(page), []))
  })

  test('is bounded: the oldest goes first', async (t) => {
    const { made } = await shared()
    const user = await dashboard(t, made, '/assessments/import')
    const { page } = user
    await page.evaluate(() => {
      for (const [i, minutes] of [1, 3, 2].entries()) {
        const item = { at: Date.now() - minutes * 60_000, value: 'x'.repeat(900_000) }
        sessionStorage.setItem(`assay.draft ${localStorage.getItem('assay.owner')} other ${i}`, JSON.stringify(item))
      }
    })
    await page.locator('#import-text').fill('A question?')
    await until(async () => {
      const left = await stored(page)
      const others = left.map((name) => / other \d$/.exec(name)?.[0]).filter(Boolean).sort()
      assert.deepEqual(others, [' other 0', ' other 2'])
      assert.equal(left.length, 3)
    })
  })
})
