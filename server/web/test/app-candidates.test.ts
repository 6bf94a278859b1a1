// The list of candidates: filters, counts, selection, and export.
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { finished, kitchen } from './support/results.ts'
import { sharedServer, startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

/** Six candidates have finished, and two have not started. */
async function made(baseUrl: string): Promise<{ owner: Organization; assessmentId: string }> {
  const owner = await organization({}, baseUrl)
  const assessmentId = await owner.publish(kitchen)
  await finished(owner, assessmentId, 6)
  for (const candidateName of ['Ola Nordmann', '=SUM(1) Kari']) await owner.invite(assessmentId, { candidateName })
  return { owner, assessmentId }
}

const names = (user: User) => user.page.locator('tbody td > a').allInnerTexts()

async function eventuallyNames(user: User, expected: string[]): Promise<void> {
  await user.page.waitForFunction(
    (wanted) => {
      const found = [...document.querySelectorAll('tbody td > a')].map((link) => link.textContent)
      return JSON.stringify(found.sort()) === JSON.stringify(wanted.sort())
    },
    expected,
  )
}

for (const database of ['sqlite', 'postgres'] as const) {
  test(`filters are in the address, and counts follow them (${database})`, async (t) => {
    const server = database === 'postgres' ? await startServer({ database }) : undefined
    if (server) t.after(() => server.stop())
    const { owner, assessmentId } = await made(server?.url ?? sharedServer())
    const user = await dashboard(t, owner, `/assessments/${assessmentId}/candidates`)
    const { page } = user
    await user.read('candidates.count', { count: 8 })

    await page.getByLabel(user.text('candidates.search')).fill('lov ada')
    await eventuallyNames(user, ['Ada Lovelace'])
    assert.equal(new URL(page.url()).searchParams.get('q'), 'lov ada')
    await user.read('candidates.count', { count: 1 })
    await page.goBack()
    await user.read('candidates.count', { count: 8 })

    await page.getByRole('checkbox', { name: user.text('candidates.status.INVITED') }).check()
    await eventuallyNames(user, ['Ola Nordmann', '=SUM(1) Kari'])
    await page.getByRole('checkbox', { name: user.text('candidates.status.DISQUALIFIED') }).check()
    await user.read('candidates.count', { count: 3 })
    assert.equal(new URL(page.url()).searchParams.get('status'), 'INVITED,DISQUALIFIED')
    await user.button('filter.clear').first().click()
    await user.read('candidates.count', { count: 8 })

    await page.getByRole('columnheader', { name: user.text('candidates.score') }).getByRole('button').click()
    await page.locator('th[aria-sort=descending]', { hasText: user.text('candidates.score') }).waitFor()
    await user.read('candidates.count', { count: 6 })
    await until(async () => assert.equal((await names(user))[0], 'Ada Lovelace'))

    await page.goto(`${owner.baseUrl}/app/candidates?min=101&created=nonsense&q=nobody`)
    await user.read('state.noMatch.title')
    await user.button('state.noMatch.clear').last().click()
    await user.read('candidates.count', { count: 8 })
    await page.locator('summary', { hasText: user.text('candidates.period') }).click()
    const completed = page.getByRole('group', { name: user.text('candidates.period.completed.label') })
    await completed.getByRole('button', { name: user.text('candidates.period.today') }).click()
    await page.waitForURL(/completed=today/)
    await eventuallyNames(user, (await names(user)).filter((name) => !/Nordmann|Kari|Weber/.test(name)))
  })
}

test('selected candidates are cancelled by name, and compared', async (t) => {
  const { owner } = await made(sharedServer())
  const user = await dashboard(t, owner, '/candidates')
  const { page } = user
  await page.getByLabel(user.text('candidates.select', { name: 'Ada Lovelace' })).check()
  const compare = user.button('candidates.compare')
  await until(async () => assert.equal(await compare.getAttribute('aria-disabled'), 'true'))
  // The selection survives a search, and says what is out of sight.
  await page.getByLabel(user.text('candidates.search')).fill('qiang')
  await eventuallyNames(user, ['Lin Qiang'])
  await page.getByLabel(user.text('candidates.select', { name: 'Lin Qiang' })).check()
  await page.getByText(user.text('candidates.selected.elsewhere', { count: 1 })).waitFor()
  const href = await user.link('candidates.compare').getAttribute('href')
  assert.equal(new URL(href!, owner.baseUrl).searchParams.get('ids')?.split(',').length, 2)

  await page.getByLabel(user.text('candidates.search')).fill('')
  await page.getByLabel(user.text('candidates.select', { name: 'Ola Nordmann' })).check()
  await user.button('candidates.cancel').click()
  const dialog = user.dialog('candidates.cancel.title')
  await dialog.getByText('Ola Nordmann').waitFor()
  await until(async () => assert.equal(await dialog.getByRole('listitem').count(), 1))
  await dialog.getByText(user.text('candidates.bulk.leftOut', { count: 2 })).waitFor()
  await dialog.getByRole('button', { name: user.text('candidates.cancel') }).click()
  await dialog.getByText(user.text('candidates.bulk.done', { done: 1, count: 1 })).waitFor()
  await dialog.getByRole('button', { name: user.text('candidates.bulk.close') }).last().click()
  await user.row('Ola Nordmann').getByText(user.text('candidates.status.CANCELLED')).filter({ visible: true }).waitFor()
  assert.equal(await page.locator('.selection').count(), 0, 'the selection ends with the action')

  // Another filter is another list, and its actions must not reach people who were selected before.
  await page.getByLabel(user.text('candidates.select', { name: 'Ada Lovelace' })).check()
  await page.getByRole('combobox', { name: user.text('candidates.state'), exact: true }).selectOption('new')
  await page.locator('.selection').waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: user.text('candidates.state'), exact: true }).selectOption('')
  await until(async () =>
    assert.equal(await page.getByLabel(user.text('candidates.select', { name: 'Ada Lovelace' })).isChecked(), true),
  )
})

test('a click with Shift, and Shift with the space bar, select a range of the list', async (t) => {
  const { owner } = await made(sharedServer())
  const user = await dashboard(t, owner, '/candidates')
  const { page } = user
  const box = (row: number) => page.locator('tbody input[type=checkbox]').nth(row)
  const selected = async (expected: number[]) => {
    await until(async () => {
      const rows = await page.locator('tbody tr').evaluateAll((all) => all.map((row) => row.getAttribute('aria-selected')))
      assert.deepEqual(rows.flatMap((value, i) => (value === 'true' ? [i] : [])), expected)
    })
    const checked = await page.locator('tbody input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked))
    assert.deepEqual(checked.flatMap((value, i) => (value ? [i] : [])), expected)
  }
  const shift = { modifiers: ['Shift'] } as { modifiers: ['Shift'] }
  // Without an earlier row, a click with Shift selects one.
  await box(1).click(shift)
  await selected([1])
  await box(4).click(shift)
  await selected([1, 2, 3, 4])
  await user.read('candidates.selected', { count: 4 })
  assert.ok(await box(4).evaluate((input) => input === document.activeElement), 'the keyboard continues there')
  assert.equal(await page.evaluate(() => getSelection()?.toString()), '')
  await box(3).click(shift)
  await selected([1, 2])

  // A click on the row itself does the same, and does not open the candidate.
  await page.locator('tbody tr').nth(5).locator('td').last().click(shift)
  await selected([1, 2, 3, 4, 5])
  assert.equal(new URL(page.url()).pathname, '/app/candidates')
  await user.button('candidates.unselect').click()
  await page.locator('.selection').waitFor({ state: 'detached' })
  await box(2).click(shift)
  await selected([2])

  // The keyboard.
  await user.button('candidates.unselect').click()
  await box(6).focus()
  await page.keyboard.press('Space')
  for (let i = 0; i < 2; i++) {
    await page.keyboard.press('Shift+Tab') // the link of the row
    await page.keyboard.press('Shift+Tab')
  }
  assert.ok(await box(4).evaluate((input) => input === document.activeElement))
  await page.keyboard.press('Shift+Space')
  await selected([4, 5, 6])
  await box(0).press('Space')
  await selected([0, 4, 5, 6])

  // Another order is another list, in which no range has begun. What is selected stays.
  await page.getByRole('combobox', { name: user.text('candidates.sort'), exact: true }).selectOption('createdAt')
  await selected([1, 2, 3, 7])
  await box(5).click(shift)
  await selected([1, 2, 3, 5, 7])
})

test('the order of the list is visible: in the head of a column, and in the menu', async (t) => {
  const { owner } = await made(sharedServer())
  const user = await dashboard(t, owner, '/candidates')
  const { page } = user
  const menu = page.getByRole('combobox', { name: user.text('candidates.sort'), exact: true })
  const chosen = () => menu.evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.textContent)
  const heads = () => page.locator('th[aria-sort]:not([aria-sort=none])')
  const shows = async (sort: string, head?: [string, string]) => {
    await until(async () => assert.equal(await chosen(), user.text(`candidates.sort.${sort}`)))
    await until(async () => assert.equal(await heads().count(), head ? 1 : 0))
    if (!head) return
    assert.equal(await heads().innerText(), user.text(head[0]))
    assert.equal(await heads().getAttribute('aria-sort'), head[1])
    assert.equal(await heads().locator('svg').count(), 1, 'an arrow')
  }
  await shows('-createdAt', ['candidates.invited', 'descending'])
  for (const [sort, head, order] of [
    ['createdAt', 'candidates.invited', 'ascending'],
    ['-score', 'candidates.score', 'descending'],
    ['score', 'candidates.score', 'ascending'],
    ['-completedAt', 'candidates.finished', 'descending'],
    ['completedAt', 'candidates.finished', 'ascending'],
  ] as const) {
    await menu.selectOption(sort)
    await shows(sort, [head, order])
  }
  for (const sort of ['-rating', 'rating', '-updatedAt']) {
    await page.goto(`${owner.baseUrl}/app/candidates?sort=${sort}`)
    await shows(sort)
  }
})

test('state, rating, and how somebody came are in the list at each width, without scrolling', async (t) => {
  const { owner, assessmentId } = await made(sharedServer())
  const { sessionId } = await owner.invite(assessmentId, {
    candidateName: 'Uma Self',
    metadata: { source: 'registration' },
  })
  const path = { id: sessionId }
  const body = { stateId: 'shortlisted' }
  await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/state', { params: { path }, body }))
  await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/rating', { params: { path }, body: { rating: 4 } }))
  for (const locale of ['en', 'de-DE']) {
    const user = await dashboard(t, owner, '/candidates', { locale })
    const { page } = user
    const row = user.row('Uma Self')
    for (const width of [360, 701, 768, 900, 1024, 1100, 1101, 1260, 1261, 1280, 1480, 1481]) {
      await page.setViewportSize({ width, height: 900 })
      for (const words of ['reviewState.shortlisted', 'candidates.registered', 'candidates.status.INVITED']) {
        await row.getByText(user.text(words), { exact: true }).waitFor()
      }
      await row.getByText('★').waitFor()
      assert.equal(await page.locator('.tag', { hasText: user.text('candidates.registered') }).count(), 1)
      await look(page, `list-${locale}-${width}`)
      const box = page.locator('.table-box')
      await until(async () => {
        const over = await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
        assert.equal(over, 0, `the table scrolls at ${width} px`)
      })
    }
  }
})

/** look takes pictures of the page, light and dark, if PICTURES names a folder. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` })
  }
}

test('an action that fails for one candidate names the candidate', async (t) => {
  const { owner } = await made(sharedServer())
  const user = await dashboard(t, owner, '/candidates?status=INVITED')
  const { page } = user
  await page.getByLabel(user.text('candidates.selectAll')).check()
  const { id } = (await ok(owner.api.GET('/v1/candidate-sessions', { params: { query: { q: 'nordmann' } } })))[0]!
  await user.button('candidates.resend').click()
  // A colleague cancels one of the sessions meanwhile.
  await ok(owner.api.POST('/v1/candidate-sessions/{id}/cancel', { params: { path: { id } } }))
  const dialog = user.dialog('candidates.resend.title')
  await dialog.getByRole('button', { name: user.text('candidates.resend') }).click()
  await dialog.getByText(user.text('candidates.bulk.done', { done: 1, count: 2 })).waitFor()
  await dialog.getByRole('listitem').filter({ hasText: 'Ola Nordmann' }).waitFor()
})

test('the export has the matching candidates, opens as UTF-8, and runs no formula', async (t) => {
  const { owner, assessmentId } = await made(sharedServer())
  const user = await dashboard(t, owner, `/assessments/${assessmentId}/candidates?status=INVITED`)
  const { page } = user
  await user.read('candidates.count', { count: 2 })
  const save = async (button: ReturnType<User['button']>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
    assert.match(download.suggestedFilename(), /^candidates-line-cook-food-safety-\d{4}-\d\d-\d\d\.csv$/)
    return (await buffer(await download.createReadStream())).toString('utf8')
  }
  const all = await save(user.button('candidates.export'))
  assert.ok(all.startsWith('\uFEFFid,assessmentId,'), all.slice(0, 40))
  assert.equal(all.trim().split('\r\n').length, 3)
  assert.ok(all.includes(",'=SUM(1) Kari,"))
  await page.getByLabel(user.text('candidates.select', { name: '=SUM(1) Kari' })).check()
  const some = await save(user.button('candidates.exportSelected'))
  assert.equal(some.trim().split('\r\n').length, 2)
  const line = (content: string) => content.split('\r\n').find((row) => row.includes('Kari'))
  assert.equal(line(some), line(all))
})

test('a spreadsheet is in the format and the language that the person chooses', async (t) => {
  const { owner, assessmentId } = await made(sharedServer())
  const user = await dashboard(t, owner, `/candidates?assessment=${assessmentId}&status=INVITED`)
  const { page } = user
  await user.read('candidates.count', { count: 2 })
  const choose = (key: 'format' | 'separator' | 'language', value: string) =>
    page.getByLabel(user.text(`candidates.spreadsheet.${key}`)).selectOption(value)
  const save = async (extension: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: user.text('candidates.exportSelected') }).click()])
    assert.ok(download.suggestedFilename().endsWith(extension), download.suggestedFilename())
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    return buffer(await download.createReadStream())
  }
  await user.button('candidates.spreadsheet').click()
  assert.equal(await page.getByLabel(user.text('candidates.spreadsheet.language')).inputValue(), 'en')
  assert.equal(await page.getByLabel(user.text('candidates.spreadsheet.separator')).count(), 0)
  assert.equal((await save('.xlsx')).subarray(0, 4).toString('latin1'), 'PK\x03\x04')

  await user.button('candidates.spreadsheet').click()
  await choose('format', 'CSV')
  assert.equal(await page.getByLabel(user.text('candidates.spreadsheet.separator')).inputValue(), 'COMMA')
  await choose('separator', 'SEMICOLON')
  await choose('language', 'fr')
  const lines = (await save('.csv')).toString('utf8').trimEnd().split('\r\n')
  assert.ok(lines[0]!.startsWith('\uFEFFNom;E-mail;'), lines[0])
  assert.equal(lines.length, 3)
  assert.ok(lines[1]!.startsWith("'=SUM(1) Kari;"), lines[1])

  await user.button('candidates.spreadsheet').click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a spreadsheet begins with the language and the separator of the browser', async (t) => {
  const { owner } = await made(sharedServer())
  const user = await dashboard(t, owner, '/candidates', { locale: 'de-AT' })
  await user.button('candidates.spreadsheet').click()
  await user.page.getByLabel(user.text('candidates.spreadsheet.format')).selectOption('CSV')
  assert.equal(await user.page.getByLabel(user.text('candidates.spreadsheet.language')).inputValue(), 'de')
  assert.equal(await user.page.getByLabel(user.text('candidates.spreadsheet.separator')).inputValue(), 'SEMICOLON')
})
