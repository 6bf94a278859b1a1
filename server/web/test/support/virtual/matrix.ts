// The matrix of faults: which request, what instead of its response, and when.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Journey, plan } from './candidate.ts'
import { faults, type Fault } from './faults.ts'
import type { Request_ } from './model.ts'

export type Moment = keyof typeof moments

/** The requests of the page, and the moments at which they occur. */
const operations: Record<string, { isHit(request: Request_, journey: Journey): boolean; at: Moment[] }> = {
  load: {
    isHit: ({ method, path }) => method === 'GET' && path.endsWith('/session'),
    at: ['first', 'after a reload', 'when submitting', 'when submitting the last stage'],
  },
  start: { isHit: ({ path }) => path.endsWith('/session/start'), at: ['first'] },
  'load a stage': {
    isHit: ({ method, path }) => method === 'GET' && path.endsWith('/stage'),
    at: ['first', 'after a reload', 'when submitting'],
  },
  'start a stage': { isHit: ({ path }) => path.endsWith('/stage/start'), at: ['first'] },
  save: {
    isHit: ({ path, body }) => path.endsWith('/answers') && (body as { answers: unknown[] }).answers.length > 0,
    at: ['first', 'after a success', 'after a reload', 'before the deadline'],
  },
  'ask for the time': {
    isHit: ({ path, body }) => path.endsWith('/answers') && (body as { answers: unknown[] }).answers.length === 0,
    at: ['before the deadline', 'when the time is up'],
  },
  submit: {
    isHit: ({ path }) => path.endsWith('/submit'),
    at: ['first', 'when the time is up', 'when submitting the last stage'],
  },
  'load the result token': {
    isHit: ({ method, path }, { server }) =>
      method === 'GET' && path.endsWith('/session') && server.status === 'COMPLETED',
    at: ['when submitting the last stage'],
  },
  everything: {
    isHit: () => true,
    at: [
      ...(['first', 'after a success', 'after a reload', 'when submitting', 'before the deadline'] as const),
      ...(['when the time is up', 'when submitting the last stage'] as const),
    ],
  },
}

/** How long a fault lasts after it has occurred, in milliseconds. The page tries again at least twice. */
const lasts = 8000

/** When a fault begins. */
const moments = {
  first: () => true,
  'after a success': ({ server }: Journey) => server.answers.size > 0,
  'after a reload': ({ server }: Journey) => server.answers.size > 1, // the journey reloads the page then
  'when submitting': ({ browser }: Journey) => browser.is('confirm.title'),
  'before the deadline': ({ server, time }: Journey) => time.now >= (server.stages[1]!.deadline ?? Infinity) - 9000,
  'when the time is up': ({ server, time }: Journey) => time.now >= (server.stages[1]!.deadline ?? Infinity),
  'when submitting the last stage': ({ server, browser }: Journey) =>
    server.current?.id === 's2' && browser.is('confirm.title'),
}

/** play plays a journey with a fault, and returns how often the fault occurred. */
async function play(fault: Fault, isHit: (typeof operations)[string]['isHit'], moment: Moment): Promise<number> {
  let began: number | undefined
  let firstHit: number | undefined
  let hits = 0
  const journey = new Journey((request, current) => {
    const { server, time } = current
    const pass = () => server.reply(request)
    if (began === undefined && moments[moment](current)) began = time.now
    // The end of the fault depends on its first effect, so that each request is tried more than once.
    const deadline = server.stages[1]!.deadline ?? Infinity
    const ends = Math.min((firstHit ?? time.now) + lasts, moment === 'before the deadline' ? deadline + 1000 : Infinity)
    if (began === undefined || time.now > ends || !isHit(request, current)) return pass()
    firstHit ??= time.now
    hits++
    return fault(pass)
  })
  journey.staysUntilTheEnd = moment === 'before the deadline' || moment === 'when the time is up'
  if (moment === 'before the deadline') {
    // The last question is answered while the fault lasts.
    const { [Object.keys(plan)[4]!]: last, ...others } = plan
    journey.answers = others
    await journey.live(120_000, () => began !== undefined || moments[moment](journey))
    journey.answers = { ...others, q5: last! }
  }
  if (moment === 'after a reload') {
    await journey.live(120_000, () => began !== undefined || moments[moment](journey))
    journey.browser.reload()
  }
  await journey.live(240_000)
  const { server, browser } = journey
  assert.ok(journey.isDone, `the page is at "${browser.heading}", and the session ${server.status}`)
  assert.equal(server.status, 'COMPLETED')
  const missing = Object.keys(plan).filter((id) => !journey.isStored(id))
  assert.deepEqual(missing, [], 'answers did not arrive')
  assert.deepEqual(server.undelivered, [], 'answers were reported as not delivered')
  return hits
}

/** testFaults tries each fault at each request that occurs at one of the moments. */
export function testFaults(wanted: Moment[]): void {
  let current = ''
  const rejected: string[] = []
  process.on('unhandledRejection', (error) => rejected.push(`${current}: ${String((error as Error).stack)}`))
  describe('faults of the network', () => {
    for (const [operation, { isHit, at }] of Object.entries(operations)) {
      for (const moment of at.filter((one) => wanted.includes(one))) {
        test(`12: ${operation}, ${moment}: ${Object.keys(faults).length} faults`, async () => {
          const failed: string[] = []
          for (const [name, fault] of Object.entries(faults)) {
            current = name
            try {
              assert.ok((await play(fault, isHit, moment)) > 0, 'the fault did not occur')
            } catch (error) {
              failed.push(`${name}: ${(error as Error).message.split('\n')[0]}`)
            }
          }
          assert.deepEqual([...failed, ...rejected], [])
        })
      }
    }
  })
}
