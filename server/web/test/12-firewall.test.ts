// A firewall that does not let some texts pass: the other answers arrive, the stage is submitted, and both sides know
// what is missing. In virtual time and without a browser, as 12-faults.test.ts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Journey, plan, type Plan } from './support/virtual/candidate.ts'
import { faults } from './support/virtual/faults.ts'
import type { Request_ } from './support/virtual/model.ts'

const poison = "'; DROP TABLE answers; --"
const isPoisoned = ({ body }: Request_) => JSON.stringify(body ?? null).includes('DROP TABLE')

/** How a firewall can answer. Busy servers of Assay ask for patience instead, and are no firewalls. */
const firewalls = Object.keys(faults).filter(
  (name) => !/of Assay$/.test(name) && !/^(a|half a) (lost |time|response)/.test(name),
)

const withPoison = (...ids: string[]): Plan => ({
  ...plan,
  ...Object.fromEntries(ids.map((id) => [id, `${id} ${poison}`])),
})

function behindFirewall(name: string, answers: Plan): Journey {
  return new Journey((request, { server }) => {
    const pass = () => server.reply(request)
    return isPoisoned(request) ? faults[name]!(pass) : pass()
  }, answers)
}

function checkEnd(journey: Journey, missing: string[]): void {
  const { server, browser } = journey
  assert.ok(journey.isDone, `the page is at "${browser.heading}", and the session ${server.status}`)
  assert.deepEqual(Object.keys(plan).filter((id) => !journey.isStored(id)), missing, 'answers did not arrive')
  assert.deepEqual([...server.undelivered].sort(), missing, 'the reported answers')
}

/** Runs a check for each firewall, and lists the firewalls for which it fails. */
async function forEach(check: (name: string) => Promise<void>): Promise<void> {
  const failed: string[] = []
  for (const name of firewalls) {
    await check(name).catch((error: Error) => failed.push(`${name}: ${error.message.split('\n')[0]}`))
  }
  assert.deepEqual(failed, [])
}

describe('a firewall that stops an answer', () => {
  test('12: submitting at once loses only this answer, and reports it', () =>
    forEach(async (name) => {
      const journey = behindFirewall(name, withPoison('q2'))
      await journey.live(400_000)
      checkEnd(journey, ['q2'])
    }))

  test('12: the page names two such answers before the candidate submits', () =>
    forEach(async (name) => {
      const journey = behindFirewall(name, withPoison('q2', 'q4'))
      journey.waitsForNotice = true
      await journey.live(400_000)
      checkEnd(journey, ['q2', 'q4'])
      assert.ok(journey.hasSeenBlocked)
    }))

  test('12: when the time is up, the answer is reported after the end of its stage', () =>
    forEach(async (name) => {
      const journey = behindFirewall(name, withPoison('q4'))
      journey.staysUntilTheEnd = true
      await journey.live(400_000)
      checkEnd(journey, ['q4'])
    }))

  test('12: another wording, and another network, deliver the answer', () =>
    forEach(async (name) => {
      for (const way of ['wording', 'network'] as const) {
        const answers = withPoison('q2')
        let isOn = true
        const journey = new Journey((request, { server }) => {
          const pass = () => server.reply(request)
          return isOn && isPoisoned(request) ? faults[name]!(pass) : pass()
        }, answers)
        journey.waitsForNotice = true
        await journey.live(200_000, () => journey.hasSeenBlocked)
        assert.ok(journey.hasSeenBlocked, 'the page has not named the answer')
        if (way === 'network') {
          isOn = false
          journey.browser.fire('online')
        } else {
          delete journey.entered.q2
          answers.q2 = 'two'
          journey.browser.goTo('#q2')
        }
        await journey.live(200_000)
        checkEnd(journey, [])
      }
    }))

  test('15: a refusal of an answer is repeated once after a change of the network, and not for ever', async () => {
    let refusals = 0
    let isOn = true
    const journey = new Journey((request, { server }) => {
      if (!isOn || !isPoisoned(request) || !request.path.endsWith('/answers')) return server.reply(request)
      refusals++
      const problem = { type: 'https://assay.example/errors/x', code: 'invalid_request', detail: 'No.', status: 400 }
      return { status: 400, type: 'application/problem+json', body: JSON.stringify(problem) }
    }, withPoison('q2'))
    journey.staysUntilTheEnd = true
    await journey.live(20_000, () => refusals > 0)
    await journey.time.pass(20_000)
    const before = refusals
    for (let change = 0; change < 3; change++) {
      journey.browser.fire('online')
      await journey.time.pass(20_000)
    }
    assert.equal(refusals, before + 1)
    isOn = false
    assert.equal(journey.isStored('q2'), false)
  })
})
