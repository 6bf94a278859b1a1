// The voluntary questions at the end.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { gated } from './support/assessments.ts'
import { hostileTexts, unreadable } from './support/hostile.ts'
import { Candidate } from './support/journey.ts'
import { seeKindness } from './support/kindness.ts'
import { abort, answer, answerElsewhere, hold, requestsTo } from './support/network.ts'
import { open, type OpenOptions } from './support/page.ts'
import { t as text } from './support/texts.ts'
import { translated } from './support/translation.ts'
import { until } from './support/until.ts'
import { asked, finish } from './support/voluntary.ts'

after(disconnect)

const path = '/v1/candidate/session/self-identification'
const elsewhere = 'https://harbour-kitchens.example'

async function finished(t: TestContext, invite: Awaited<ReturnType<typeof asked>>, more: OpenOptions = {}) {
  const visit = await open(t, invite.link, more)
  const candidate = new Candidate(visit.page)
  await finish(candidate)
  const group = (name: string) => visit.page.getByRole('group', { name })
  const chosen = (question: string) =>
    group(question)
      .getByRole('radio', { checked: true })
      .evaluate((radio) => radio.closest('label')!.textContent)
  return { ...visit, candidate, group, chosen }
}

describe('voluntary questions', { concurrency: 2 }, () => {
  test('39: The candidate answers some questions, changes an answer, and withdraws all', async (t) => {
    const invite = await asked()
    const { page, candidate, group, chosen } = await finished(t, invite)
    await page.getByText(text('voluntary.about')).waitFor()
    assert.deepEqual(await Promise.all(['What is your sex?', 'How old are you?'].map(chosen)), [
      text('voluntary.none'),
      text('voluntary.none'),
    ])
    await checkAxe(page, 'voluntary questions')
    await seeKindness(page)

    await group('What is your sex?').getByRole('radio', { name: 'Female' }).check()
    await candidate.button('voluntary.send').click()
    await page.getByRole('status').getByText(text('voluntary.saved')).waitFor()
    assert.deepEqual(await invite.answers(), [{ questionId: 'sex', optionId: 'female' }])
    assert.equal(await page.getByRole('radio').count(), 0)
    await until(async () =>
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), text('voluntary.title')),
    )
    await checkAxe(page, 'voluntary questions, answered')

    await page.reload()
    await candidate.button('voluntary.change').click()
    assert.equal(await chosen('What is your sex?'), 'Female')
    await group('What is your sex?').getByRole('radio', { name: text('voluntary.none') }).check()
    await group('How old are you?').getByRole('radio', { name: '40 and over' }).check()
    await candidate.button('voluntary.send').click()
    await page.getByText(text('voluntary.saved')).waitFor()
    assert.deepEqual(await invite.answers(), [{ questionId: 'age', optionId: '40-and-over' }])

    await candidate.button('voluntary.withdraw').click()
    await page.getByText(text('voluntary.withdrawn')).waitFor()
    assert.deepEqual(await invite.answers(), [])
    assert.equal(await chosen('How old are you?'), text('voluntary.none'))
  })

  test('39: No question appears before the end, or if the organization asks none', async (t) => {
    const invite = await asked()
    await invite.replace([])
    const { page, requests } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await candidate.submitStage()
    await candidate.seeEnd()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(requests.filter((address) => /voluntary|self-identification/.test(address)), [])
  })

  test('39: The end at a gate has the questions, too', async (t) => {
    const invite = await asked({}, {}, gated().stages)
    const { candidate } = await finished(t, invite)
    await candidate.read('end.gate.text')
  })

  test('39: The keyboard is enough', async (t) => {
    const invite = await asked()
    const { page, group } = await finished(t, invite)
    await group('What is your sex?').getByRole('radio', { checked: true }).focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText(text('voluntary.saved')).waitFor()
    assert.deepEqual(await invite.answers(), [{ questionId: 'sex', optionId: 'male' }])
  })

  test('39: A candidate with voluntary questions is not sent on, and the way is there', async (t) => {
    const invite = await asked({ redirectUrl: `${elsewhere}/done` })
    const { page, candidate } = await finished(t, invite, {
      before: async (page) => {
        await page.clock.install()
        await answerElsewhere(page, elsewhere)
      },
      allow: [/other origin/, /^repeated/],
    })
    await page.clock.runFor(60_000)
    assert.equal(new URL(page.url()).pathname, '/take')
    assert.equal(await page.getByText(candidate.pattern('leaving.soon')).count(), 0)
    await candidate.button('leaving.go', { host: 'harbour-kitchens.example' }).click()
    await page.waitForURL(`${elsewhere}/**`)
  })

  test('39: Answers that do not arrive stay chosen, and one request is sent at a time', async (t) => {
    const invite = await asked()
    const { page, candidate, group, chosen } = await finished(t, invite)
    await group('How old are you?').getByRole('radio', { name: 'Under 40' }).check()
    const send = candidate.button('voluntary.send')
    const restore = await abort(page, path)
    await send.click()
    await page.getByRole('alert').getByText(text('page.unreachable.title')).waitFor()
    assert.equal(await chosen('How old are you?'), 'Under 40')
    await until(async () => assert.equal(await send.evaluate((button) => button === document.activeElement), true))
    await checkAxe(page, 'voluntary questions, offline')
    await restore()

    const sent = requestsTo(page, path, 'PUT')
    const release = await hold(page, path)
    await send.click()
    await send.click({ force: true }) // it is disabled meanwhile
    release()
    await page.getByText(text('voluntary.saved')).waitFor()
    assert.equal(sent.length, 1)
    assert.equal(await page.getByText(text('page.unreachable.title')).count(), 0)
  })

  test('39: Questions that cannot be loaded can be loaded again', async (t) => {
    const invite = await asked()
    const { page } = await open(t, invite.link)
    const candidate = new Candidate(page)
    const restore = await abort(page, path)
    await candidate.start()
    await candidate.submitStage()
    await page.getByRole('alert').getByText(text('page.unreachable.title')).waitFor()
    await restore()
    await candidate.button('page.retry').click()
    await page.getByRole('group', { name: 'What is your sex?' }).waitFor()
  })

  test('39: A refusal is said in words, and the answers stay', async (t) => {
    for (const [status, code, words] of [
      [410, 'invite_expired', 'link.expired.title'],
      [400, 'invalid_request', 'page.again'],
      [503, 'unavailable', 'page.unreachable.title'],
    ] as const) {
      const { page, candidate, group, chosen, allow } = await finished(t, await asked())
      allow(/503: /)
      await answer(page, path, { status, code, method: 'PUT' })
      await group('What is your sex?').getByRole('radio', { name: 'Female' }).check()
      await candidate.button('voluntary.send').click()
      await page.getByRole('alert').getByText(text(words)).waitFor()
      assert.equal(await chosen('What is your sex?'), 'Female')
    }
  })

  test('39: A page that the browser translates shows what it means', async (t) => {
    const invite = await asked()
    const { page, candidate, group } = await finished(t, invite, { before: translated() })
    const voluntary = page.locator('.voluntary')
    const see = async (keys: string[], locale: string) => {
      const words = keys.map((key) => text(key, {}, locale))
      await until(async () => assert.equal(await voluntary.evaluate((part) => part.textContent), words.join('')))
      assert.ok((await voluntary.locator('font').count()) > 0, 'nothing is translated')
    }
    await group('What is your sex?').getByRole('radio', { name: 'Female' }).check()
    await candidate.button('voluntary.send').click()
    const saved = ['title', 'about', 'saved', 'change', 'withdraw'].map((key) => `voluntary.${key}`)
    await see(saved, 'en')
    await page.getByRole('combobox').selectOption('de')
    await see(saved, 'de')
    await page.getByRole('button', { name: text('voluntary.withdraw', {}, 'de') }).click()
    await page.getByText(text('voluntary.withdrawn', {}, 'de')).waitFor()
    assert.equal(await page.getByText(text('voluntary.saved', {}, 'de')).count(), 0)
  })

  test('39: Whatever an organization asks can be read on each small screen', async (t) => {
    const invite = await asked()
    const lines = Object.values(hostileTexts).map(({ line }) => line.slice(0, 190).trim())
    const options = (text: string) => ['a', 'b'].map((id) => ({ id, text: id + text }))
    for (let at = 0; at < lines.length; at += 5) {
      await invite.replace(lines.slice(at, at + 5).map((text, i) => ({ id: `q${i}`, text, options: options(text) })))
      const again = await invite.organization.invite(invite.assessmentId)
      const { page } = await open(t, again.link)
      await finish(new Candidate(page))
      await page.getByRole('group').nth(lines.slice(at, at + 5).length - 1).waitFor()
      assert.deepEqual(await unreadable(page), {})
    }
  })

  test('39: Another language changes the texts of the page, and keeps what is chosen', async (t) => {
    const invite = await asked({ locale: 'en' })
    const { page, group, chosen } = await finished(t, invite)
    await group('What is your sex?').getByRole('radio', { name: 'Female' }).check()
    await page.getByRole('combobox').selectOption('ar')
    await page.getByText(text('voluntary.about', {}, 'ar')).waitFor()
    await page.getByRole('button', { name: text('voluntary.send', {}, 'ar') }).waitFor()
    assert.equal(await chosen('What is your sex?'), 'Female')
    assert.equal(await chosen('How old are you?'), text('voluntary.none', {}, 'ar'))
    assert.equal(await group('What is your sex?').locator('bdi').first().getAttribute('lang'), 'en')
    await checkAxe(page, 'voluntary questions, Arabic')
  })
})
