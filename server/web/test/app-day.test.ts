// A day of a talent team in the dashboard, from an empty database to a decision about each candidate, and its clicks.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { asCandidate, ok } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { register, User } from './support/dashboard.ts'
import { open } from './support/page.ts'
import { accept, fail, receiver } from './support/receiver.ts'
import { startServer } from './support/server.ts'
import { startMailServer, type MailServer } from './support/smtp.ts'
import { until } from './support/until.ts'

after(disconnect)

const people = 60
const finish = 52

/** 12 questions in 3 stages, as a table. The option A is correct. */
const questions = [
  'Stage;Question;A;B;Correct',
  ...['Temperatures', 'Allergens', 'Deliveries'].flatMap((stage) =>
    [1, 2, 3, 4].map((i) => `${stage};${stage}: what do you do in case ${i}?;The right thing;The wrong thing;A`),
  ),
].join('\n')

/** The export of a German personnel system: semicolons, a byte order mark, and a name in two columns. */
const personnel = [
  'Nachname;Vorname;E-Mail-Adresse;Bewerbernummer',
  ...Array.from({ length: people }, (_, i) => `Müller-${i};Jörg;${addressOf(i)};B-${1000 + i}`),
].join('\r\n')

function addressOf(i: number): string {
  return `joerg.${i}@candidate.example`
}

/** Counts the clicks of a person. A choice in a list is one, and so is a chosen file. A typed text is none. */
type Clicks = { count: number }

test(`a day of work: ${people} invites, ${finish} results, and a decision about each`, async (t) => {
  const mail = await startMailServer()
  const server = await startServer({ env: { ...mail.env, ...env } })
  const hook = await receiver(t, fail)
  t.after(async () => {
    await server.stop()
    await mail.stop()
  })
  const link = /^ {2}(\S+\/app\/register#\S+)$/m.exec(readFileSync(server.log, 'utf8'))![1]!
  const clicks: Clicks = { count: 0 }
  const { page } = await open(t, link, { before: (page) => countClicks(page, clicks) })
  const user = new User(page)
  let total = 0
  // `most` is how many clicks the task may take.
  const task = async (name: string, most: number, act: () => Promise<unknown>) => {
    const before = clicks.count
    await act()
    const taken = clicks.count - before
    total += taken
    t.diagnostic(`${String(taken).padStart(3)} ${taken === 1 ? 'click ' : 'clicks'} ${name}`)
    assert.ok(taken <= most, `${name}: ${taken} clicks`)
  }

  await task('register the organization', 1, () => register(user))
  await task('add the webhook of the personnel system', 5, () => addWebhook(user, hook.url))
  await task('import 12 questions in 3 stages', 4, () => importQuestions(user))
  await task('set a gate and publish', 5, () => publish(user))
  await task('invite 60 people from the export', 6, () => inviteAll(user, people))
  await Promise.all(Array.from({ length: finish }, (_, i) => takeIt(mail, server.url, i)))
  await task('repair the webhook, and send what was missed', 5, () => repair(user, () => hook.behave(accept)))
  await task('compare the three best without names', 7, () => compare(user))
  await task('print a candidate', 3, () => printOne(user))
  await task('share a result by a link', 3, () => share(user))
  await task('shortlist three', 9, () => shortlist(user))
  await task('reject those who did not pass, with an email', 9, () => reject(user))
  await task('save the spreadsheet for the manager', 2, () => spreadsheet(user))
  await task('let a manager see this assessment only', 6, () => limit(user))
  await task('invite the same export again, without harm', 4, () => inviteAll(user, 0))
  t.diagnostic(`${String(total).padStart(3)} clicks in all`)
})

const env = {
  ASSAY_REGISTRATION: 'first',
  ASSAY_WEBHOOK_ALLOW_INSECURE: 'true',
  ASSAY_WEBHOOK_BACKOFF: '50ms,50ms',
}

async function countClicks(page: Page, clicks: Clicks): Promise<void> {
  await page.exposeFunction('countClick', () => clicks.count++)
  await page.addInitScript(() => {
    const { countClick } = window as unknown as { countClick(): void }
    // A click with a detail of 0 comes from a script, the keyboard, or the label of a field that was clicked.
    const isCounted = (event: Event) => event.isTrusted && (event as MouseEvent).detail > 0
    document.addEventListener('click', (event) => isCounted(event) && countClick(), { capture: true })
    const isChoice = ({ target }: Event) => (target as Element).matches('select, input[type=file]')
    document.addEventListener('change', (event) => isChoice(event) && countClick(), { capture: true })
  })
}

/** Follows a link of the menu. */
async function visit(user: User, key: string): Promise<void> {
  await user.page.locator('.wide-nav').getByRole('link', { name: user.text(key), exact: true }).click()
}

async function addWebhook(user: User, url: string): Promise<void> {
  await visit(user, 'nav.webhooks')
  await user.button('webhooks.add').click()
  const form = user.dialog('webhooks.add.title')
  await user.field('webhooks.form.url').fill(url)
  await form.getByRole('button', { name: user.text('webhooks.add'), exact: true }).click()
  const created = user.dialog('webhooks.add.done')
  await created.getByLabel(user.text('webhooks.secret.stored')).check()
  await created.getByRole('button', { name: user.text('webhooks.secret.done') }).click()
  await user.page.waitForURL(/\/webhooks\/whk_/)
}

async function importQuestions(user: User): Promise<void> {
  await visit(user, 'nav.assessments')
  await user.page.getByRole('link', { name: user.text('import.new') }).first().click()
  await user.page.getByRole('link', { name: user.text('new.import.open'), exact: true }).click()
  await user.field('import.paste.label').fill(questions)
  await user.read('import.understood', { count: 12 })
  await user.field('import.titleLabel').fill('Line cook')
  await user.button('import.create').click()
  await user.page.waitForURL(/\/edit/)
}

async function publish(user: User): Promise<void> {
  await user.button('editor.stage.edit', { number: 1 }).click()
  await user.field('editor.gate.on').check()
  await user.link('editor.part.settings').last().click()
  await user.field('editor.passingScore').fill('70')
  await user.page.locator('.editor-state[data-state=saved]').waitFor()
  await user.button('editor.publish').first().click()
  await user.page.getByRole('dialog').getByRole('button', { name: user.text('editor.publish'), exact: true }).click()
  await user.page.waitForURL(/\/assessments\/asm_\w+$/)
}

/** Invites everybody in the export who can be invited. */
async function inviteAll(user: User, count: number): Promise<void> {
  await visit(user, 'nav.candidates')
  await user.link('candidates.invite').first().click()
  await user.page.getByText(user.text('invite.mode.many')).click()
  await user.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'Bewerber.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${personnel}`) })
  await user.read('invite.checked', { ready: String(count), count: people })
  if (count === 0) return
  await user.field('invite.email.many').check()
  await user.button('invite.send', { count }).click()
  await user.read('invite.done.title', { count })
}

/** A candidate opens the link of the email, and answers. Some are stopped at the gate, and some do not pass. */
async function takeIt(mail: MailServer, url: string, i: number): Promise<void> {
  const email = await mail.received(addressOf(i))
  const candidate = asCandidate(new URL(email.link('/take')).hash.slice(1), url)
  const isRight = (stage: number, question: number) => (i % 10 === 9 ? stage > 0 : question >= ((i + stage) % 8) - 3)
  await ok(candidate.POST('/v1/candidate/session/start'))
  for (let number = 0; ; number++) {
    const stage = await ok(candidate.GET('/v1/candidate/session/stage'))
    const answers = stage.questions.map(({ id, options }, question) => {
      const text = isRight(number, question) ? 'The right thing' : 'The wrong thing'
      const answer = { optionId: options!.find((option) => option.text === text)!.id }
      return { questionId: id, answer, revision: 1, seenRevision: 0 }
    })
    const body = { stageId: stage.id, clientId: 'page', answers }
    const { nextStageId } = await ok(candidate.POST('/v1/candidate/session/stage/submit', { body }))
    if (!nextStageId) return
  }
}

async function repair(user: User, fix: () => void): Promise<void> {
  await visit(user, 'nav.home')
  await user.page.getByRole('link', { name: /127\.0\.0\.1/ }).first().click()
  await user.read('webhooks.failure.5xx', { status: '500' })
  fix()
  await user.button('webhooks.ping').first().click()
  const ping = user.dialog('webhooks.ping.title')
  await ping.getByText(user.pattern('webhooks.ping.good', { status: '200' })).waitFor()
  await user.page.keyboard.press('Escape')
  await user.page.locator('.webhooks-steps').getByRole('button', { name: user.text('webhooks.replay') }).click()
  await user.button('webhooks.replay.submit').click()
  await user.read('webhooks.health.healthy')
}

async function compare(user: User): Promise<void> {
  await visit(user, 'nav.candidates')
  await user.page.getByLabel(user.text('candidates.sort')).selectOption('-score')
  for (let i = 1; i <= 3; i++) await user.page.getByRole('row').nth(i).getByRole('checkbox').check()
  await user.link('candidates.compare').click()
  await user.see('compare.title')
  await user.button('compare.names.hide').click()
  await user.page.getByText('Candidate B').first().waitFor()
}

async function printOne(user: User): Promise<void> {
  await user.page.evaluate(() => (window.print = () => document.body.setAttribute('data-printed', '')))
  await user.page.goBack() // to the list
  await user.page.getByRole('row').nth(1).getByRole('link').first().click()
  await user.page.getByRole('heading', { level: 1, name: /^Jörg Müller-/ }).waitFor()
  await user.page.evaluate(() => (window.print = () => document.body.setAttribute('data-printed', '')))
  const head = user.page.locator('.head')
  await head.locator('summary').filter({ hasText: user.text('candidate.print') }).click()
  await head.getByRole('button', { name: user.text('candidate.print.without') }).click()
  await user.page.locator('body[data-printed]').waitFor()
}

/** Shares the result of the candidate who is shown. */
async function share(user: User): Promise<void> {
  await user.page.locator('.head .more > summary[aria-label]').click()
  await user.page.locator('.head .menu').getByRole('button', { name: user.text('candidate.share') }).click()
  await user.button('share.create').click()
  await user.page.getByLabel(user.text('share.address', { name: user.text('share.unnamed') })).waitFor()
  await user.page.keyboard.press('Escape')
}

/** Chooses a state for the selected candidates. */
async function setState(user: User, state: string): Promise<void> {
  await user.button('candidates.setState').click()
  const dialog = user.page.getByRole('dialog')
  await dialog.getByLabel(user.text('candidates.state'), { exact: true }).selectOption(state)
}

async function shortlist(user: User): Promise<void> {
  await visit(user, 'nav.candidates')
  await user.page.getByLabel(user.text('candidates.sort')).selectOption('-score')
  for (let i = 1; i <= 3; i++) await user.page.getByRole('row').nth(i).getByRole('checkbox').check()
  await setState(user, 'shortlisted')
  const dialog = user.page.getByRole('dialog')
  await dialog.getByRole('button', { name: user.text('candidates.setState') }).click()
  await dialog.getByRole('button', { name: user.text('candidates.bulk.close') }).last().click()
}

async function reject(user: User): Promise<void> {
  await user.page.locator('summary').filter({ hasText: user.text('candidates.score') }).first().click()
  await user.page.getByLabel(user.text('candidates.score.passed')).selectOption('false')
  await user.page.keyboard.press('Escape')
  await user.read('candidates.count', { count: 27 })
  await user.page.getByRole('checkbox', { name: user.text('candidates.selectAll') }).click()
  await setState(user, 'rejected')
  const dialog = user.page.getByRole('dialog')
  await dialog.getByLabel(user.text('candidates.email'), { exact: true }).check()
  await dialog.getByRole('button', { name: user.text('candidates.email.preview') }).click()
  await dialog.getByText(/Dear Jörg/).waitFor()
  await dialog.getByRole('button', { name: user.text('candidates.setState') }).click()
  await dialog.getByText(/^27 emails will be sent on /).waitFor() // nobody of the shortlist
  await dialog.getByRole('button', { name: user.text('candidates.bulk.close') }).last().click()
}

async function spreadsheet(user: User): Promise<void> {
  await user.button('candidates.spreadsheet').click()
  const dialog = user.page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: user.text('candidates.exportSelected'), exact: true })
  await Promise.all([user.page.waitForEvent('download'), submit.click()])
}

async function limit(user: User): Promise<void> {
  await visit(user, 'nav.members')
  await user.button('members.invite').first().click()
  const dialog = user.page.getByRole('dialog')
  await user.page.getByRole('textbox', { name: user.text('members.name') }).fill('Lena Brandt')
  await user.field('members.email').fill('lena@harbour-kitchens.example')
  await dialog.getByRole('radio', { name: user.text('members.access.some') }).check()
  await dialog.getByRole('checkbox', { name: 'Line cook' }).check()
  await dialog.getByRole('button', { name: user.text('members.invite.submit'), exact: true }).click()
  await user.page.getByRole('dialog').getByRole('button', { name: user.text('members.link.done') }).click()
}
