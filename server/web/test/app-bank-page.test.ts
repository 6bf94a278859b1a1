// The page of a question of the bank: what it shows, and its statistics over all assessments.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ok, organization } from './support/api.ts'
import { numeric, singleChoice } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { bank, saved } from './support/bank.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { overflows } from './support/layout.ts'
import { drawn, upload } from './support/pictures.ts'
import { counted, finished } from './support/results.ts'
import { until } from './support/until.ts'

after(disconnect)

describe('The page of a question', { concurrency: 2 }, () => {
  test('adds the candidates of all assessments, and links to each', async (t) => {
    const made = await organization()
    const { id: bankQuestionId } = await bank(made, numeric)
    const user = await dashboard(t, made, `/questions/${bankQuestionId}?part=statistics`)
    const { page } = user
    await user.read('bank.statistics.none')

    const stages = [{ title: 'One', questions: [{ ...numeric, bankQuestionId }] }]
    const definition = (title: string) => ({ title, stages })
    const [cook, porter] = [definition('Line cook'), definition('Night porter')]
    const [first, second] = [await made.publish(cook), await made.publish(porter)]
    await finished(made, first, 5, cook)
    await finished(made, second, 2, porter)
    await counted(made, first, 5)
    await counted(made, second, 2)
    await page.reload()
    const name = (key: string) => page.locator('dt').getByText(user.text(key), { exact: true })
    const figure = (key: string) => page.locator('.figures > div').filter({ has: name(key) }).locator('.value')
    await until(async () => assert.equal(await figure('bank.statistics.seen').innerText(), '7'))
    assert.equal(await figure('bank.statistics.answered').innerText(), '7')
    const right = await figure('bank.statistics.correct').innerText()
    assert.match(right, /^\d+%$/)
    assert.equal(await figure('bank.statistics.points').innerText(), right, 'a number has all points or none')
    const cells = (title: string) => page.getByRole('row').filter({ hasText: title }).getByRole('cell').allInnerTexts()
    assert.deepEqual((await cells('Line cook')).slice(0, 3), ['Line cook', '5', '5'])
    // The answers of two candidates say nothing.
    assert.deepEqual(await cells('Night porter'), ['Night porter', '2', '2', '–', '–'])
    await page.getByRole('link', { name: 'Line cook' }).click()
    await page.waitForURL(new RegExp(`/assessments/${first}/questions`))

    await page.goto(`${made.baseUrl}/app/questions/${bankQuestionId}`)
    await page.locator('.facts-list').getByText(user.text('bank.used.count', { count: 2 })).waitFor()
    assert.equal((await saved(made, bankQuestionId)).usedIn, 2)
  })

  test('shows pictures and formulas as candidates see them, and takes another picture', async (t) => {
    const made = await organization()
    const { id: media } = await upload(made, await drawn('A pot'))
    const { id } = await bank(made, { ...singleChoice, prompt: `What is $x^2$ of ![a pot](media:${media})?` })
    const user = await dashboard(t, made, `/questions/${id}`)
    const { page } = user
    await page.getByRole('heading', { level: 1, name: 'What is $x^2$ of a pot?' }).waitFor()
    await page.locator('main .prose math').waitFor()
    const picture = page.locator('main .prose img')
    await until(async () => assert.ok(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0)))
    await user.button('bank.edit').click()
    const chooser = page.waitForEvent('filechooser')
    await user.button('editor.picture.insert').first().click()
    const buffer = Buffer.from(await drawn('A pan'))
    await (await chooser).setFiles({ name: 'pan.png', mimeType: 'image/png', buffer })
    const prompt = page.locator('.editor-form [data-place$="/prompt"]')
    await until(async () => assert.match(await prompt.inputValue(), /!\[pan\]\(media:med_/))
    await page.keyboard.press('Control+s')
    await until(async () => assert.equal(await picture.count(), 2))
    assert.equal((await saved(made, id)).version, 2)
  })

  test('a question that is gone says so, and the list is one link away', async (t) => {
    const made = await organization()
    const { id } = await bank(made, numeric)
    await ok(made.api.DELETE('/v1/questions/{id}', { params: { path: { id } } }))
    const user = await dashboard(t, made, `/questions/${id}`, { allow: [/status of 404/] })
    await user.read('problem.not_found')
    await user.page.locator('.crumbs').getByRole('link', { name: user.text('nav.questions') }).click()
    await user.read('bank.none.title')
  })

  test('is edited in German on a telephone, in the dark', async (t) => {
    const made = await organization()
    const { id } = await bank(made, singleChoice, ['Lagerung'])
    const phone = { viewport: { width: 360, height: 740 }, locale: 'de-DE', colorScheme: 'dark' } as const
    const user = await dashboard(t, made, '/questions', phone)
    const { page } = user
    await page.getByRole('link', { name: singleChoice.prompt }).click()
    await page.getByRole('button', { name: 'Bearbeiten' }).click()
    await page.locator('.editor-form [data-place$="/prompt"]').fill('Welche Temperatur ist sicher?')
    await page.locator('#bank-tag').fill('leicht')
    await page.evaluate(() => scrollTo(0, 0)) // the menu covers a part of what is scrolled
    await checkAxe(page, 'the form of a question in German')
    assert.deepEqual(await overflows(page), [])
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Welche Temperatur ist sicher?' }).waitFor()
    assert.deepEqual((await saved(made, id)).tags, ['Lagerung', 'leicht'])
    assert.deepEqual(await overflows(page), [])
  })
})
