// The saver of the candidate page alone, with its own clock, network, and storage.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Schemas } from '../src/shared/api.ts'
import type { Saving } from '../src/take/environment.ts'
import { Saver } from '../src/take/saver.ts'
import { VirtualTime } from './support/virtual/time.ts'

type Body = Schemas['AnswersSave']
const failure: Saving = { kind: 'unavailable', doubt: 2 }
const busy: Saving = { kind: 'unavailable', doubt: 0, retryAfter: 20 }

/** A saver of a stage with `count` questions, and what it sends. `fate` is what the network does with a request. */
async function started(count: number, fate: (body: Body, sent: Body[]) => Saving | undefined = () => undefined) {
  const time = new VirtualTime()
  const sent: Body[] = []
  const kept = new Map<string, unknown>()
  const stored = new Map<string, unknown>()
  const saver = new Saver({
    clock: {
      now: () => time.now,
      serverNow: () => time.now + 5e11,
      later: (act, wait) => ((id) => () => time.clear(id))(time.set(act, wait)),
    },
    network: {
      async save(body) {
        const failed = fate(body, sent)
        sent.push(body)
        await new Promise<void>((done) => void time.set(done, 50))
        if (failed) return failed
        const answers = body.answers.map(({ questionId, answer, revision }) => {
          stored.set(questionId, answer)
          return { questionId, outcome: 'SAVED', answer: answer as Schemas['Answer'], revision, savedAt: null }
        })
        const data = { serverTime: '2026-11-20T10:00:00.000Z', deadlineAt: null, answers: answers as never }
        return { kind: 'ok', data, sent: 0, received: 0 }
      },
      submit: () => Promise.resolve(failure as never),
    },
    storage: { read: () => Promise.resolve([]), keep: (answer) => void kept.set(answer.question, answer) },
    isReadOnly: () => false,
    inWords: () => '',
  })
  const questions = Array.from({ length: count }, (_, i) => ({ id: `q${i}`, answer: null, revision: 0 }))
  const stage = { id: 's1', order: 1, questions } as unknown as Schemas['CurrentStage']
  const page = { session: 'ses_1', clientId: 'c', surprised: () => Promise.resolve(), deadline: () => undefined }
  await saver.openStage(page, stage)
  return { saver, time, sent, kept, stored, answer: (id: string, text: string) => saver.edit(id, { text }, 0) }
}

const contains = (body: Body, text: string) => JSON.stringify(body).includes(text)
const stopPoison = (body: Body) => (contains(body, 'poison') ? failure : undefined)

describe('the saver', () => {
  for (const count of [1, 2, 3, 10, 100, 500]) {
    test(`12: finds one answer of ${count} that does not get through, and saves the others`, async () => {
      const { saver, time, sent, stored, answer } = await started(count, stopPoison)
      for (let i = 0; i < count; i++) answer(`q${i}`, i === Math.floor(count / 3) ? 'poison' : 'fine')
      await time.pass(60_000)
      assert.equal(stored.size, count - 1)
      assert.deepEqual(saver.blocked.value, [`q${Math.floor(count / 3)}`])
      assert.equal(saver.offlineSince.value, undefined)
      const failures = sent.filter((body) => contains(body, 'poison')).length
      assert.ok(failures <= 4 + Math.ceil(Math.log2(count)), `${failures} requests failed`)
      await time.pass(70_000)
      assert.ok(sent.filter((body) => contains(body, 'poison')).length > failures, 'it is tried again')
    })
  }

  test('15: two answers that do not get through are found both', async () => {
    const { saver, time, stored, answer } = await started(9, stopPoison)
    for (let i = 0; i < 9; i++) answer(`q${i}`, i === 0 || i === 8 ? 'poison' : 'fine')
    await time.pass(90_000)
    assert.deepEqual(saver.blocked.value, ['q0', 'q8'])
    assert.equal(stored.size, 7)
  })

  test('15: no answer is suspected while nothing gets through, and while the server asks for patience', async () => {
    for (const outcome of [failure, busy]) {
      let isFailing = true
      const { saver, time, sent, stored, answer } = await started(5, () => (isFailing ? outcome : undefined))
      for (let i = 0; i < 5; i++) answer(`q${i}`, 'fine')
      await time.pass(300_000)
      assert.deepEqual(saver.blocked.value, [])
      assert.notEqual(saver.offlineSince.value, undefined)
      if (outcome === busy) assert.ok(sent.length <= 300 / 20 + 1, `${sent.length} requests in spite of Retry-After`)
      isFailing = false
      await time.pass(60_000)
      assert.equal(stored.size, 5)
      assert.ok(saver.recovered.value)
      assert.equal(sent.at(-1)!.answers.length, 5, 'the answers need one request')
    }
  })

  test('13: a response that throws, and one that never comes, leave no request in flight for ever', async () => {
    let mode = 'throw'
    const { time, stored, answer } = await started(2, () => {
      if (mode === 'throw') throw new Error('a fault of the network')
      return undefined
    })
    answer('q0', 'one')
    await time.pass(10_000)
    mode = ''
    answer('q1', 'two')
    await time.pass(10_000)
    assert.equal(stored.size, 2)
  })
})
