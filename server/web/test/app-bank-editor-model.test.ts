// Pools and questions of the bank in the document of the editor: nothing is lost when it is saved or merged. Without a
// browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer } from '../src/app/core/api.ts'
import { completed } from '../src/app/editor/completed.ts'
import { docOf, idsOf, isSameContent, updateOf } from '../src/app/editor/contract.ts'
import { begin, commit, rebase } from '../src/app/editor/history.ts'
import { merge } from '../src/app/editor/merge.ts'
import * as model from '../src/app/editor/model.ts'
import { placeFaults } from '../src/app/editor/places.ts'
import * as pools from '../src/app/editor/pool.ts'
import { Saver } from '../src/app/editor/saver.ts'
import { detailOf, pool, question, stage } from './support/editor.ts'

type Detail = model.Detail

const included = (id: string, version: number, more: object = {}) =>
  question(id, { bankQuestionId: 'qbk_1', bankVersion: version, prompt: `Version ${version}`, ...more })
const detail = detailOf({
  stages: [
    { ...stage('s1', [question('q1'), included('q2', 1)]), pools: [pool('p1', { title: 'Easy ones' }), pool('p2')] },
    { ...stage('s2', [question('q3')]), pools: [] },
  ],
})
const doc = docOf(detail)
const poolKeys = ({ stages }: model.Doc) => stages.map(({ pools }) => pools.map(({ key }) => key).join(' '))
const sentStages = (next: model.Doc) => updateOf(next, doc, idsOf(doc, detail))!.stages!

describe('Saving pools and questions of the bank', () => {
  test('a change elsewhere sends all pools and the ids of the bank back', () => {
    const [first, second] = sentStages(model.setQuestion(doc, 'q1', { prompt: 'Changed' }))
    assert.deepEqual(first!.pools, [
      { id: 'p1', title: 'Easy ones', count: 2, tags: ['easy'], points: 1 },
      { id: 'p2', title: null, count: 2, tags: ['easy'], points: 1 },
    ])
    assert.deepEqual(second!.pools, [])
    assert.deepEqual(first!.questions!.map(({ bankQuestionId }) => bankQuestionId), [null, 'qbk_1'])
    for (const sent of first!.questions!) assert.ok(!('bankVersion' in sent) && !('poolId' in sent))
  })

  test('a detached question keeps its content and says that it is no copy', () => {
    const [first] = sentStages(model.setQuestion(doc, 'q2', model.detached))
    assert.equal(first!.questions![1]!.bankQuestionId, null)
    assert.equal(first!.questions![1]!.prompt, 'Version 1')
    assert.equal(model.copyQuestion(model.questionOf(doc, 'q2')!).bankQuestionId, null)
  })

  test('pools are added, changed, moved on to the next stage, and deleted', () => {
    const added = pools.insertPool(doc, 's2', 0, { ...pools.newPool(), key: 'p3' })
    assert.deepEqual(poolKeys(added), ['p1 p2', 'p3'])
    assert.equal(sentStages(added)[1]!.pools![0]!.id, undefined)
    assert.deepEqual(poolKeys(pools.movePool(doc, 'p2', -1)), ['p2 p1', ''])
    assert.deepEqual(poolKeys(pools.movePool(doc, 'p2', 1)), ['p1', 'p2'])
    assert.equal(pools.movePool(doc, 'p1', -1), doc)
    assert.deepEqual(poolKeys(pools.deletePool(doc, 'p1')), ['p2', ''])
    const changed = pools.setPool(doc, 'p1', { count: 5, tags: ['hard'] })
    assert.equal(pools.poolOf(changed, 'p1')!.count, 5)
    assert.equal(changed.stages[0]!.questions, doc.stages[0]!.questions)
  })

  test('a candidate gets the questions of the stage and some of each pool', () => {
    assert.equal(model.questionCount(doc.stages), 3 + 2 + 2)
    assert.equal(model.stagePoints(doc.stages), 7)
    const published = docOf(detailOf({
      stages: [{ ...stage('s1', [question('q1'), question('q2', { poolId: 'p1' }), question('q3', { poolId: 'p1' })]),
        pools: [pool('p1', { count: 1, questionCount: 2 })] }],
    }))
    assert.equal(model.questionCount(published.stages), 2)
    assert.equal(model.stagePoints(published.stages), 2)
  })

  test('faults are at the pool and its fields', () => {
    const faults = ['/stages/0/pools/1/count', '/stages/0/pools/0', '/stages/0/questions/1/bankQuestionId']
      .map((pointer) => ({ in: 'body' as const, pointer, code: 'invalid_value' as const, detail: 'x' }))
    assert.deepEqual(placeFaults(doc, faults).map(({ place, field }) => [place, field]), [
      ['/p/p2/count', 'pool/count'], ['/p/p1/', 'pool'], ['/q/q2/bankQuestionId', 'bankQuestionId'],
    ])
  })

  test('a document of an earlier version leaves the bank to the server, and keeps the pools', () => {
    const old = structuredClone(doc) as unknown as { stages: { pools?: unknown; questions: object[] }[] }
    for (const kept of old.stages) {
      delete kept.pools
      for (const one of kept.questions) {
        for (const field of ['bankQuestionId', 'bankVersion', 'poolId']) delete (one as Record<string, unknown>)[field]
      }
    }
    const known = new Map(doc.stages.map((stage) => [stage.key, stage.pools]))
    const [first] = sentStages(completed(old as unknown as model.Doc, known))
    assert.deepEqual(first!.pools!.map(({ id }) => id), ['p1', 'p2'])
    for (const sent of first!.questions!) assert.ok(!('bankQuestionId' in sent))
  })
})

/** A saver whose server answers an update with the given detail. */
function saving(start: Detail, answer: Detail, read: Detail = answer) {
  const base = { doc: docOf(start), etag: '"1"', ids: idsOf(docOf(start), start) }
  let history = begin(base.doc)
  const ok = (data: Detail): Answer<Detail> =>
    ({ ok: true, data: structuredClone(data), response: new Response(null, { headers: { ETag: '"2"' } }) })
  const server = { status: 200 }
  const saver = new Saver({
    base,
    read: async () => ok(read),
    update: async () => (server.status === 200 ? ok(answer) : { ok: false, fault: { status: server.status } }),
    current: () => history.present,
    rebase: (change) => void (history = rebase(history, change)),
    changed: () => undefined,
    saved: () => undefined,
    merged: () => undefined,
    later: () => () => undefined,
  })
  return {
    server,
    saver,
    get history() {
      return history
    },
    change: (next: model.Doc) => void (history = commit(history, next, '/x')),
  }
}

describe('The content of questions of the bank', () => {
  const taken = (prompt: string, bankVersion: number) =>
    detailOf({ stages: [stage('s1', [question('q1'), included('q2', bankVersion, { prompt })])] })

  test('a question that was added gets its content when it is saved, also in the steps for undo', async () => {
    const empty = detailOf({ stages: [stage('s1', [question('q1')])] })
    const own = saving(empty, taken('From the bank?', 4))
    const added = { ...model.newQuestion(), bankQuestionId: 'qbk_1', prompt: 'From the list' }
    own.change(model.insertQuestions(own.history.present, 's1', 1, [added]))
    own.change(model.setSetting(own.history.present, 'title', 'Later'))
    assert.equal(await own.saver.save(), true)
    for (const { stages } of [own.history.present, own.history.past[1]!.doc]) {
      const { prompt, bankVersion, key, options } = stages[0]!.questions[1]!
      assert.deepEqual([prompt, bankVersion, key, options.length], ['From the bank?', 4, added.key, 2])
    }
    assert.equal(own.saver.isDirty, false)
    assert.equal(own.history.present.settings.title, 'Later')
    assert.equal(own.history.past[0]!.doc.stages[0]!.questions.length, 1)
  })

  test('what is the same stays the same, so that typing goes on in its step', async () => {
    const own = saving(taken('Same?', 2), taken('Same?', 2))
    own.change(model.setSetting(own.history.present, 'title', 'Typed'))
    const before = own.history
    await own.saver.save()
    assert.equal(own.history, before)
  })

  test('a lost response is found, although the bank has another version meanwhile', async () => {
    const start = taken('Old?', 1)
    const own = saving(start, start, taken('New?', 2))
    own.change(model.setSetting(own.history.present, 'title', detail.title))
    own.change(model.moveQuestion(own.history.present, 'q1', 1))
    own.change(model.moveQuestion(own.history.present, 'q1', -1))
    own.server.status = 0
    assert.equal(await own.saver.save(), false)
    own.server.status = 412
    await own.saver.save()
    assert.equal(own.saver.status.kind, 'saved')
    assert.equal(model.questionOf(own.history.present, 'q2')!.prompt, 'New?')
    assert.ok(isSameContent(docOf(start), docOf(taken('New?', 2))))
  })
})

describe('Two editors and the bank', () => {
  const places = (mine: model.Doc, theirs: model.Doc) => merge(doc, mine, theirs).conflicts.map(({ place }) => place)
  const count = (key: string, count: number) => pools.setPool(doc, key, { count })

  test('changes of different pools come together, and of one pool are a conflict', () => {
    const both = merge(doc, count('p1', 5), count('p2', 6)).doc
    assert.deepEqual(both.stages[0]!.pools.map(({ count }) => count), [5, 6])
    assert.deepEqual(places(count('p1', 5), count('p1', 6)), ['/p/p1'])
    assert.equal(pools.poolOf(merge(doc, count('p1', 5), count('p1', 6), () => 'theirs').doc, 'p1')!.count, 6)
  })

  test('one may move a pool while the other changes it, and a deleted stage keeps what the other has put there', () => {
    const moved = merge(doc, pools.movePool(doc, 'p2', 1), count('p2', 9)).doc
    assert.deepEqual(poolKeys(moved), ['p1', 'p2'])
    assert.equal(pools.poolOf(moved, 'p2')!.count, 9)
    const deleted = model.deleteStage(doc, 's2')
    assert.deepEqual(poolKeys(merge(doc, deleted, pools.movePool(doc, 'p2', 1)).doc), ['p1 p2'])
    assert.deepEqual(places(pools.deletePool(doc, 'p1'), count('p1', 7)), ['/p/p1'])
  })

  test('another version of the bank is no conflict with a question that is detached', () => {
    const newer = model.setQuestion(doc, 'q2', { prompt: 'Version 2', bankVersion: 2 })
    const own = model.setQuestion(doc, 'q2', { ...model.detached, prompt: 'Mine' })
    const { doc: both, conflicts } = merge(doc, own, newer)
    assert.deepEqual(conflicts, [])
    assert.equal(model.questionOf(both, 'q2')!.prompt, 'Mine')
    assert.equal(model.questionOf(merge(doc, doc, newer).doc, 'q2')!.prompt, 'Version 2')
    assert.deepEqual(places(own, model.deleteQuestion(doc, 'q2')), ['/q/q2'])
  })
})
