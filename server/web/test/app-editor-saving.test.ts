// Saving in the editor of the dashboard: two editors, no connection, a closed tab, and undo after a reload.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventually, ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard } from './support/dashboard.ts'
import { draft, openDraft } from './support/draft.ts'
import { answer, hold, setOffline } from './support/network.ts'
import { startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

const assessments = '/v1/assessments/'

for (const database of ['SQLite', 'PostgreSQL'] as const) {
  describe(`Two editors on ${database}`, () => {
    test('different questions come together; the same question is compared', async (t) => {
      let baseUrl: string | undefined
      if (database === 'PostgreSQL') {
        const server = await startServer({ database: 'postgres' })
        t.after(() => server.stop())
        baseUrl = server.url
      }
      const made = await organization({}, baseUrl)
      const first = await openDraft(t, draft, { made })
      const second = await openDraft(t, draft, { made, id: first.id, person: await colleague(made, 'ADMIN') })
      await first.edit(1)
      await second.edit(2)
      await first.prompt.fill('First, changed by Samin?')
      await first.save()
      await eventually(() => first.saved(), ({ stages }) => /Samin/.test(stages[0]!.questions[0]!.prompt))
      await second.prompt.fill('Second, changed by Jonas?')
      await second.save()
      await second.page.locator('.notice').getByText(second.text('editor.merged')).waitFor()
      await eventually(() => first.saved(), ({ stages }) => /Jonas/.test(stages[0]!.questions[1]!.prompt))
      await until(async () => assert.equal((await second.outline())[0], 'First, changed by Samin?'))

      await second.edit(1)
      await second.prompt.fill('First, changed by Jonas too?')
      await second.save()
      await eventually(() => first.saved(), ({ stages }) => /Jonas too/.test(stages[0]!.questions[0]!.prompt))
      await first.prompt.fill('First, changed by Samin again?')
      const dialog = first.dialog('editor.conflict.title')
      await dialog.waitFor()
      await dialog.getByText('First, changed by Jonas too?').waitFor()
      await dialog.getByRole('radio', { name: new RegExp(first.text('editor.conflict.other')) }).check()
      await dialog.getByRole('button', { name: first.text('editor.conflict.save') }).click()
      await first.status('saved')
      await until(async () => assert.equal(await first.prompt.inputValue(), 'First, changed by Jonas too?'))
      const { questions } = (await first.saved()).stages[0]!
      const prompts = questions.map(({ prompt }) => prompt)
      assert.deepEqual(prompts, ['First, changed by Jonas too?', 'Second, changed by Jonas?'])
    })
  })
}

describe('No change is lost', { concurrency: 2 }, () => {
  test('undo works after a reload, with the steps before it', async (t) => {
    const user = await openDraft(t)
    await user.edit(1)
    await user.prompt.fill('One?')
    await user.option(1).fill('Changed option')
    await user.save()
    await eventually(() => user.saved(), ({ stages }) => stages[0]!.questions[0]!.prompt === 'One?')
    await user.page.reload()
    await user.prompt.waitFor()
    await user.page.keyboard.press('Control+z')
    await eventually(() => user.option(1).inputValue(), (value) => value === '41 °C')
    await user.page.keyboard.press('Control+z')
    await eventually(() => user.prompt.inputValue(), (value) => value === draft.stages![0]!.questions![0]!.prompt)
    await user.page.keyboard.press('Control+Shift+z')
    await eventually(() => user.saved(), ({ stages }) => {
      const { prompt, options } = stages[0]!.questions[0]!
      return prompt === 'One?' && options![0]!.text === '41 °C'
    })
  })

  test('changes without a connection are kept on the device, and saved when it returns', async (t) => {
    const user = await openDraft(t)
    await user.edit(1)
    await setOffline(user.page.context(), true)
    await user.prompt.fill('Written on a train?')
    await user.status('unreachable')
    await user.page.locator('.editor-state').getByText(user.text('editor.state.kept')).waitFor()
    await setOffline(user.page.context(), false)
    await user.status('saved')
    assert.equal((await user.saved()).stages[0]!.questions[0]!.prompt, 'Written on a train?')
  })

  test('changes of a tab that was closed before saving are saved at the next start', async (t) => {
    const user = await openDraft(t)
    const release = await hold(user.page, assessments, { method: 'PATCH' })
    await user.edit(1)
    await user.prompt.fill('Almost lost?')
    await user.status('saving')
    const context = user.page.context()
    const next = await context.newPage()
    await user.page.close()
    release()
    await next.goto(`${user.organization.baseUrl}/app/assessments/${user.id}/edit`)
    await next.locator('.editor-state[data-state=saved]').waitFor()
    await eventually(() => user.saved(), ({ stages }) => stages[0]!.questions[0]!.prompt === 'Almost lost?')
  })

  test('two tabs of one person keep both changes', async (t) => {
    const user = await openDraft(t)
    const context = user.page.context()
    const other = await dashboard(t, user.organization, `/assessments/${user.id}/edit`, { context })
    await other.button('editor.question.edit', { number: 2 }).click()
    await user.edit(1)
    await user.prompt.fill('In the first tab?')
    await user.save()
    await eventually(() => user.saved(), ({ stages }) => stages[0]!.questions[0]!.prompt === 'In the first tab?')
    await other.page.locator('.editor-form [data-place$="/prompt"]').fill('In the second tab?')
    await eventually(() => user.saved(), ({ stages }) => {
      const [first, second] = stages[0]!.questions
      return first!.prompt === 'In the first tab?' && second!.prompt === 'In the second tab?'
    })
  })

  test('a setting that the server refuses is marked, and everything else is saved', async (t) => {
    const user = await openDraft(t)
    const { page } = user
    await page.goto(`${page.url()}?part=settings`)
    await page.getByLabel(user.text('editor.redirectUrl')).fill('not an address')
    await page.getByLabel(user.text('editor.title'), { exact: true }).fill('New title')
    await user.status('held')
    await page.getByText(user.text('editor.fault.redirectUrl.invalid_format')).waitFor()
    assert.equal((await user.saved()).title, 'New title')
    await page.getByLabel(user.text('editor.redirectUrl')).fill('https://harbour-kitchens.example/next')
    await user.status('saved')
    assert.equal((await user.saved()).redirectUrl, 'https://harbour-kitchens.example/next')
  })

  test('an error of the server is said, and the request is repeated', async (t) => {
    const user = await openDraft(t, draft, { allow: [/^503/] })
    await answer(user.page, assessments, { method: 'PATCH', times: 1, status: 503, requestId: 'req_test' })
    await user.edit(1)
    await user.prompt.fill('Once more?')
    await user.page.locator('.editor-state').getByText(user.text('editor.state.unavailable')).waitFor()
    await user.status('saved')
    assert.equal((await user.saved()).stages[0]!.questions[0]!.prompt, 'Once more?')
  })

  test('a draft that was published meanwhile says that the last change is not saved', async (t) => {
    const user = await openDraft(t)
    await user.edit(1)
    await ok(user.organization.api.POST('/v1/assessments/{id}/publish', { params: { path: { id: user.id } } }))
    await user.prompt.fill('Too late?')
    await user.status('ended')
    await user.page.locator('.editor-state').getByText(user.text('editor.state.published')).waitFor()
  })
})

test('signing out removes saved documents from the browser', async (t) => {
  const user = await openDraft(t)
  await user.edit(1)
  await user.prompt.fill('Which gas is in the air?')
  await user.page.getByText(user.text('editor.state.saved')).first().waitFor()
  const kept = () =>
    user.page.evaluate(
      () =>
        new Promise<number>((done) => {
          const request = indexedDB.open('assay.editor', 1)
          request.onsuccess = () => {
            const count = request.result.transaction('documents').objectStore('documents').count()
            count.onsuccess = () => done(count.result)
          }
        }),
    )
  await eventually(kept, (count) => count === 1)
  await user.page.locator('.account summary').click()
  await user.button('nav.signOut').click()
  await user.see('signIn.title')
  await eventually(kept, (count) => count === 0)
})
