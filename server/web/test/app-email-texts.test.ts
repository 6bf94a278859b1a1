// An organization writes what emails to candidates say: for all assessments, and for one.
import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard, type DashboardOptions } from './support/dashboard.ts'
import { kitchen } from './support/results.ts'
import { startServer } from './support/server.ts'
import { startMailServer } from './support/smtp.ts'
import { until } from './support/until.ts'

after(disconnect)

/** The frame of the preview runs no scripts, not even scripts of the tests. */
const allow = [/Blocked script execution in 'about:srcdoc'/]

async function withMail(t: TestContext, database: 'sqlite' | 'postgres') {
  const mail = await startMailServer()
  const server = await startServer({ database, env: mail.env })
  t.after(async () => {
    await server.stop()
    await mail.stop()
  })
  const made = await organization({}, server.url)
  return { mail, made, assessmentId: await made.publish(kitchen) }
}

for (const database of ['sqlite', 'postgres'] as const) {
  test(`on ${database}, a person writes an invite, and the candidate receives it`, async (t) => {
    const { mail, made, assessmentId } = await withMail(t, database)
    const person = await colleague(made, 'ADMIN')
    const user = await dashboard(t, made, '/settings', { allow, person })
    const words = user.page.locator('#words')
    await words.getByText(user.text('emailTexts.source.DEFAULT')).waitFor()

    // What is wrong is said before anything is sent.
    await user.field('emailTexts.subject').fill('Hello {{name}}')
    await user.button('emailTexts.save').click()
    await words.getByText(user.text('emailTexts.unknown')).waitFor()

    await user.field('emailTexts.subject').fill('About ')
    await words.getByRole('button', { name: user.text('emailTexts.assessmentTitle'), exact: true }).click()
    const field = words.locator('textarea')
    await field.fill('Dear ')
    await words.getByRole('button', { name: user.text('emailTexts.candidateName'), exact: true }).click()
    await user.page.keyboard.type(',\n\n<b>come</b> until ')
    await words.getByRole('button', { name: user.text('emailTexts.lastDay'), exact: true }).click()
    assert.equal(await field.inputValue(), 'Dear {{candidateName}},\n\n<b>come</b> until {{lastDay}}')

    // Both forms of the preview, before anything is stored.
    await user.button('emailTexts.preview').click()
    const frame = user.page.frameLocator('#words iframe')
    await frame.getByText('Dear Jonas Weber,').waitFor()
    await frame.getByText('<b>come</b> until ').waitFor()
    assert.equal(await frame.locator('a[href], script').count(), 0, 'links of the preview')
    const ground = frame.locator('.button').first()
    assert.notEqual(await ground.evaluate((one) => getComputedStyle(one).backgroundColor), 'rgba(0, 0, 0, 0)')
    await words.locator('summary').click()
    await words.locator('.words').getByText('Dear Jonas Weber,').waitFor()
    const stored = await ok(made.api.GET('/v1/email-texts'))
    assert.ok(stored.every(({ source }) => source === 'DEFAULT'))

    // A test has the stored words, so it needs them.
    await user.button('emailTexts.test').press('Enter')
    await user.page.locator('.notice').getByText(user.text('emailTexts.unsaved')).waitFor()
    await user.button('emailTexts.save').click()
    await words.getByText(user.text('emailTexts.source.ORGANIZATION')).waitFor()
    await user.button('emailTexts.test').click()
    await user.page.locator('.notice').getByText(/is on its way/).waitFor()
    const test = await mail.received(person.email, 1) // after the invitation
    assert.match(test.subject, /^About /)
    assert.ok(test.text.includes('<b>come</b> until '), test.text)

    // One assessment says something else.
    await user.page.goto(`${made.baseUrl}/app/assessments/${assessmentId}/settings`)
    await user.page.getByText(user.text('emailTexts.source.ORGANIZATION')).waitFor()
    const invite = async (candidateEmail: string) => {
      const person = { candidateName: 'Zoë Ångström', candidateEmail }
      await ok(made.api.POST('/v1/candidate-sessions', { body: { assessmentId, ...person, sendEmail: true } }))
      return mail.received(candidateEmail)
    }
    const first = await invite('first@candidate.example')
    assert.match(first.text.replaceAll('\r', ''), /\n\nDear Zoë Ångström,\n\n<b>come<\/b> until \d+ \w+\n\n/)
    await user.field('emailTexts.subject').fill('Only here')
    await user.button('emailTexts.save').click()
    await user.page.getByText(user.text('emailTexts.source.ASSESSMENT')).waitFor()
    assert.equal((await invite('second@candidate.example')).subject, 'Only here')

    // And again what the organization says.
    await user.button('emailTexts.reset').click()
    await user.dialog('emailTexts.reset.title').getByRole('button', { name: user.text('emailTexts.reset') }).click()
    await user.page.getByText(user.text('emailTexts.source.ORGANIZATION')).waitFor()
    await until(async () =>
      assert.equal(await user.field('emailTexts.subject').inputValue(), 'About {{assessmentTitle}}'),
    )
    assert.match((await invite('third@candidate.example')).subject, /^About /)
  })
}

test('each email and each language has a text of its own, which the address names', async (t) => {
  const made = await organization({ locale: 'de-AT' })
  const user = await dashboard(t, made, '/settings')
  const subject = user.page.locator('#words [name=subject]')
  await until(async () => assert.equal(await subject.inputValue(), 'Einladung: {{assessmentTitle}}'))
  await subject.fill('Nicht gespeichert')
  await user.field('emailTexts.locale').selectOption('pl')
  await until(async () => assert.match(await subject.inputValue(), /^Zaproszenie/))
  await user.field('emailTexts.kind').selectOption('RESULT_CORRECTED')
  await until(async () => assert.match(await subject.inputValue(), /^Twój wynik|\{\{assessmentTitle\}\}/))
  assert.equal(await user.page.getByRole('button', { name: user.text('emailTexts.lastDay'), exact: true }).count(), 0)
  await user.page.reload()
  await until(async () => assert.equal(await user.field('emailTexts.kind').inputValue(), 'RESULT_CORRECTED'))
  assert.equal(await user.field('emailTexts.locale').inputValue(), 'pl')

  // What was typed elsewhere is still there.
  await user.field('emailTexts.kind').selectOption('INVITE')
  await user.field('emailTexts.locale').selectOption('de')
  await until(async () => assert.equal(await subject.inputValue(), 'Nicht gespeichert'))
})

test('members read the texts, and an editor changes them', async (t) => {
  const made = await organization()
  const [seen] = [await made.publish(kitchen), await made.publish(kitchen)]
  const person = await colleague(made, 'MEMBER', { assessmentIds: [seen!] })
  const people: DashboardOptions[] = [{ role: 'MEMBER' }, { person }]
  for (const options of people) {
    const user = await dashboard(t, made, `/assessments/${seen}/settings`, options)
    const words = user.page.locator('.email-texts')
    await until(async () => assert.equal(await words.locator('[name=subject]').isDisabled(), true))
    for (const key of ['save', 'preview', 'test']) {
      assert.equal(await user.button(`emailTexts.${key}`).getAttribute('aria-disabled'), 'true', key)
    }
    await words.getByText(user.text('role.needsEditor')).waitFor()
  }
  const editor = await dashboard(t, made, '/settings', { role: 'EDITOR' })
  await editor.page.locator('#words textarea').fill('We invite you.')
  await editor.button('emailTexts.save').click()
  await editor.page.locator('#words').getByText(editor.text('emailTexts.source.ORGANIZATION')).waitFor()
})

for (const database of ['sqlite', 'postgres'] as const) {
  test(`on ${database}, two people who write one text see what the other has saved`, async (t) => {
    const server = await startServer({ database })
    t.after(() => server.stop())
    const made = await organization({}, server.url)
    const allow = [/412/]
    const user = await dashboard(t, made, '/settings?language=en', { allow, person: await colleague(made, 'ADMIN') })
    const subject = user.page.locator('#words [name=subject]')
    const words = user.page.locator('#words')
    const theirs = (name: string) =>
      ok(
        made.api.PUT('/v1/email-texts', {
          body: { kind: 'INVITE', locale: 'en', subject: name, text: `Text of ${name}` },
        }),
      )
    const stored = async () =>
      (await ok(made.api.GET('/v1/email-texts'))).find(({ kind, locale }) => kind === 'INVITE' && locale === 'en')!

    await subject.fill('Mine')
    await theirs('First')
    await user.button('emailTexts.save').click()
    await words.getByRole('alert').getByText(/has saved another text meanwhile/).waitFor()
    await words.getByText('Text of First').waitFor()
    assert.equal(await subject.inputValue(), 'Mine')
    assert.equal((await stored()).subject, 'First')

    // What was typed, and on what it is based, survive a reload.
    await user.page.reload()
    await words.getByText('Text of First').waitFor()
    await until(async () => assert.equal(await subject.inputValue(), 'Mine'))

    // A third change is not overwritten either.
    await theirs('Second')
    await user.button('emailTexts.conflict.over').click()
    await words.getByText('Text of Second').waitFor()
    assert.equal((await stored()).subject, 'Second')
    await user.button('emailTexts.conflict.over').click()
    await user.page.locator('.notice').getByText(user.text('emailTexts.saved')).waitFor()
    await words.getByText('Text of Second').waitFor({ state: 'detached' })
    assert.equal((await stored()).subject, 'Mine')

    // Or the person uses the other person's text.
    await subject.fill('Mine again')
    await theirs('Third')
    await user.button('emailTexts.save').click()
    await user.button('emailTexts.conflict.take').click()
    await until(async () => assert.equal(await subject.inputValue(), 'Third'))
    await words.getByText(user.pattern('emailTexts.savedBy')).waitFor()

    // A return to the default removes no words that the person has not seen.
    await theirs('Fourth')
    await user.button('emailTexts.reset').click()
    await user.dialog('emailTexts.reset.title').getByRole('button', { name: user.text('emailTexts.reset') }).click()
    await user.page.locator('.notice').getByText(user.text('problem.email_text_changed')).waitFor()
    await until(async () => assert.equal(await subject.inputValue(), 'Fourth'))
    assert.equal((await stored()).subject, 'Fourth')

    // The page notices that another person has returned to the default text.
    await subject.fill('Mine at last')
    await ok(made.api.POST('/v1/email-texts/reset', { body: { kind: 'INVITE', locale: 'en' } }))
    await user.button('emailTexts.save').click()
    await words.getByText(user.text('emailTexts.conflict.reset')).waitFor()
    await user.button('emailTexts.conflict.over').click()
    await until(async () => assert.equal((await stored()).subject, 'Mine at last'))
  })
}
