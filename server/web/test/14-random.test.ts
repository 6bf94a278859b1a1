// Random edits, failures, delays, reloads, and takeovers. SEED=number repeats a run.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { organization, savedAnswers, type Schemas } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

const steps = 40
const singles = { a: '41 °C', b: '57 °C', c: '37 °C' }
const multiples = { melon: 'Cut melon', tomato: 'Cut tomatoes', garlic: 'Garlic in oil', pasta: 'Dry pasta' }

/** Numbers from 0 to 1 that depend on the seed only (mulberry32). */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A network that loses and delays requests, until it heals. */
async function badNetwork(context: BrowserContext, next: () => number): Promise<() => void> {
  let healed = false
  const fulfill = (route: Route, status: number) =>
    route.fulfill({
      status,
      headers: { 'Retry-After': '1' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'unavailable' }),
    })
  await context.route('**/v1/candidate/session/answers', async (route) => {
    const luck = healed ? 1 : next()
    try {
      if (luck < 0.1) return await route.abort('connectionfailed')
      if (luck < 0.2) {
        await route.fetch()
        return await route.abort('connectionreset')
      }
      if (luck < 0.25) return await fulfill(route, 503)
      if (luck < 0.3) return await fulfill(route, 429)
      if (luck < 0.5) await sleep(next() * 1500)
      if (luck < 0.55) await sleep(5000) // longer than the page waits
      await route.continue()
    } catch {
      // The page is gone.
    }
  })
  return () => (healed = true)
}

test('14: After random edits, failures, delays, reloads, crashes, and takeovers the server has the last entered values', async (t) => {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  t.diagnostic(`SEED=${seed}`)
  const next = random(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  // The log of this server has errors, because pages disappear in the middle of requests.
  const server = await startServer()
  t.after(() => server.stop())
  const owner = await organization({}, server.url)
  const invite = await owner.invite(await owner.publish(eachType()))
  const visit = await open(t, invite.link, { allow: [/^503: /, /the page crashed/] })
  const { context } = visit
  const heal = await badNetwork(context, next)
  let page: Page = visit.page
  let candidate = new Candidate(page)
  const expected: Schemas['AnswerChange']['answer'][] = [null, null, null, null]
  await candidate.start()

  const use = async (opened: Page) => {
    page = opened
    candidate = new Candidate(page)
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
  }
  await use(page)
  const goTo = async (number: number) => {
    await page.evaluate((to) => {
      location.hash = `#q${to}`
    }, number)
    await candidate.seeQuestion(number)
  }
  const openAgain = async () => {
    const opened = await open(t, invite.link, { context, allow: [/^503: /, /the page crashed/] })
    await use(opened.page)
  }
  const actions: Record<string, () => Promise<void>> = {
    single: async () => {
      await goTo(1)
      const id = pick(Object.keys(singles) as (keyof typeof singles)[])
      await candidate.option(singles[id]).check()
      expected[0] = { optionId: id }
    },
    multiple: async () => {
      await goTo(2)
      const id = pick(Object.keys(multiples) as (keyof typeof multiples)[])
      const before = expected[1]?.optionIds ?? []
      const isChosen = before.includes(id)
      await candidate.option(multiples[id]).setChecked(!isChosen)
      const optionIds = Object.keys(multiples).filter((other) => (other === id ? !isChosen : before.includes(other)))
      expected[1] = optionIds.length > 0 ? { optionIds } : null
    },
    number: async () => {
      await goTo(3)
      const number = Math.floor(next() * 1000)
      await candidate.field().fill(String(number))
      expected[2] = { number }
    },
    text: async () => {
      await goTo(4)
      const text = `sesame ${Math.floor(next() * 1e6)}`
      await candidate.field().clear()
      await candidate.field().pressSequentially(text)
      expected[3] = { text }
    },
    clear: async () => {
      const number = 1 + Math.floor(next() * 4)
      if (expected[number - 1] === null) return
      await goTo(number)
      await candidate.clear()
      expected[number - 1] = null
    },
    wait: () => sleep(next() * 1500),
    reload: async () => {
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
    returnTo: async () => {
      await page.close()
      await openAgain()
      await candidate.heading('question.number').waitFor()
    },
    crash: async () => {
      const session = await context.newCDPSession(page)
      const crashed = page.waitForEvent('crash')
      void session.send('Page.crash').catch(() => undefined)
      await crashed
      const old = page
      await openAgain()
      await candidate.heading('question.number').waitFor()
      await old.close()
    },
    takeOver: async () => {
      const old = page
      await openAgain()
      await candidate.button('otherTab.take').click()
      await candidate.heading('question.number').waitFor()
      await old.close()
    },
  }
  const likely = ['single', 'multiple', 'number', 'text', 'text', 'clear', 'wait', 'wait']
  const rare = ['reload', 'returnTo', 'crash', 'takeOver']
  const log: string[] = []
  try {
    for (let step = 0; step < steps; step++) {
      const name = pick(next() < 0.12 ? rare : likely)
      log.push(name)
      await actions[name]!()
    }
    heal()
    // Without an answer that this page has saved, it does not say "Saved".
    await actions.number!()
    // The page would wait up to 30 seconds for its next attempt.
    const hurry = setInterval(
      () => void page.evaluate(() => dispatchEvent(new Event('online'))).catch(() => undefined),
      500,
    )
    await page
      .getByRole('banner')
      .getByText(candidate.pattern('save.saved'))
      .waitFor()
      .finally(() => clearInterval(hurry))
    assert.deepEqual(await savedAnswers(invite), expected)
    await actions.reload!()
    for (const [i, answer] of expected.entries()) {
      await goTo(i + 1)
      if (i === 3) await until(async () => assert.equal(await candidate.field().inputValue(), answer?.text ?? ''))
    }
  } catch (error) {
    t.diagnostic(`SEED=${seed}: ${log.join(' ')}`)
    throw error
  }
})
