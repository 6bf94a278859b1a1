// Links to results: from the dashboard to the page, which needs no account.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { hostileTexts } from './support/hostile.ts'
import { overflows } from './support/layout.ts'
import { open } from './support/page.ts'
import { checkPublicPage } from './support/public_page.ts'
import { allBut, kitchen, work } from './support/results.ts'

after(disconnect)

test('a link to a result is created, read without an account, and revoked', async (t) => {
  const made = await organization()
  const invite = await made.invite(await made.publish(kitchen))
  await work(invite, kitchen, allBut(1, 2))
  const user = await dashboard(t, made, `/candidates/${invite.sessionId}`, { role: 'MEMBER' })
  const share = async () => {
    await user.page.locator('.head .more > summary[aria-label]').click()
    await user.page.locator('.head .menu').getByRole('button', { name: user.text('candidate.share') }).press('Enter')
    await user.field('share.label').waitFor()
  }
  await share()
  await user.field('share.label').fill('Ana Ruiz, head of kitchen')
  await user.button('share.create').click()
  const address = user.page.getByLabel(user.text('share.address', { name: 'Ana Ruiz, head of kitchen' }))
  await address.waitFor()
  const link = await address.inputValue()

  // The page without answers says who, how many points, and nothing of the answers.
  const { page, allow } = await open(t, link)
  await page.getByRole('heading', { level: 1, name: invite.candidateName }).waitFor()
  await page.getByText('The given and the correct answers are not shown.').waitFor()
  assert.equal(await page.getByText('Correct answer', { exact: true }).count(), 0)
  await checkPublicPage(page, 'result without answers')
  await page.locator('summary').click()
  await page.getByRole('link', { name: 'العربية' }).click()
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  await checkPublicPage(page, 'result in Arabic')

  await user.field('share.answers').check()
  await user.button('share.create').click()
  const full = user.page.getByLabel(user.text('share.address', { name: user.text('share.unnamed') }))
  await page.goto(await full.inputValue())
  assert.ok((await page.getByText('Correct answer', { exact: true }).count()) > 1)
  await checkPublicPage(page, 'result with answers')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('summary').isVisible(), false)
  await page.emulateMedia({ media: 'screen' })

  // The timeline names the reader, and a revoked link shows no result.
  await user.button('share.revoke').nth(1).click()
  await user.button('share.revoke').click()
  await user.page.getByText(/^Revoked on/).waitFor()
  await user.page.getByText(/opened once/).first().waitFor()
  await user.page.keyboard.press('Escape')
  await user.page.reload()
  await user.page.getByText('Result opened with the link: Ana Ruiz, head of kitchen').waitFor()
  allow(/^404: /)
  await page.goto(link)
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await checkPublicPage(page, 'revoked link')
})

for (const [kind, texts] of Object.entries(hostileTexts)) {
  test(`the page of a result has room for ${kind}`, async (t) => {
    const made = await organization()
    const stages = kitchen.stages!.map((stage) => ({
      ...stage,
      title: texts.line,
      questions: stage.questions!.map((question) => ({ ...question, prompt: texts.markdown })),
    }))
    const definition = { ...kitchen, title: texts.line, stages }
    const invite = await made.invite(await made.publish(definition), { candidateName: texts.line.slice(0, 190) })
    await work(invite, definition, allBut(1, 2))
    const { url } = await ok(
      made.api.POST('/v1/candidate-sessions/{id}/result-links', {
        params: { path: { id: invite.sessionId } }, body: { withAnswers: true },
      }),
    )
    const { page } = await open(t, url!)
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      assert.deepEqual(await overflows(page), [], `${width} px`)
    }
  })
}
