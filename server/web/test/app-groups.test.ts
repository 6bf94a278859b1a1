// Ids of voluntary questions, and the sum of ratings of a cut score. Without a browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import './support/tsx.ts'

const { bodyOf, idsOf } = await import('../src/app/groups/entered.ts')
const { faultsOf, pointerOf, ratingsOf, sumOf } = await import('../src/app/cut_score/entered.ts')

describe('The ids of voluntary questions', () => {
  test('are made of the texts, in the form that the contract permits, and differ', () => {
    const ids = idsOf(['Female', 'female!', 'Über 40', '女性', '  ', 'x'.repeat(100)].map((text) => ({ text })))
    assert.deepEqual(ids.slice(0, 5), ['female', 'female-2', 'uber-40', 'id-4', 'id-5'])
    assert.equal(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(id, /^[a-z0-9][a-z0-9_-]{0,39}$/)
  })

  test('stay when a text changes, and a new text never takes the id of another', () => {
    assert.deepEqual(idsOf([{ id: 'female', text: 'Woman' }, { text: 'Female' }]), ['female', 'female-2'])
    assert.deepEqual(idsOf([{ text: 'Female' }, { id: 'female', text: 'Woman' }]), ['female-2', 'female'])
  })

  test('are in the request, with texts without spaces around them', () => {
    const row = (text: string) => ({ key: text, text })
    assert.deepEqual(bodyOf([{ ...row(' Sex? '), options: [row('Female '), row('Male')] }]), {
      questions: [
        { id: 'sex', text: 'Sex?', options: [{ id: 'female', text: 'Female' }, { id: 'male', text: 'Male' }] },
      ],
    })
  })
})

describe('Ratings of a cut score', () => {
  const questions = [
    { id: 'a', points: 1 },
    { id: 'b', points: 3 },
    { id: 'c', points: 4 },
  ] as Parameters<typeof sumOf>[0]

  test('are weighted by the points of the rated questions', () => {
    assert.equal(sumOf(questions, {}), null)
    assert.equal(sumOf(questions, { a: '50', b: ' 90 ' }), 80)
    assert.equal(sumOf(questions, { a: '50', b: '90', c: '62,5' }), 71.25)
  })

  test('are sent without empty fields, and a fault is at its field', () => {
    const entered = { a: ' ', b: '101', c: '0' }
    assert.deepEqual(ratingsOf(questions, { a: '', c: '0' }), [{ questionId: 'c', percent: 0 }])
    assert.equal(pointerOf(questions, entered, 'b'), '/ratings/0/percent')
    assert.deepEqual(Object.keys(faultsOf(questions, entered)), [pointerOf(questions, entered, 'b')])
    for (const typed of ['-1', '100.1', 'x', '1e3']) assert.equal(Object.keys(faultsOf(questions, { a: typed })).length, 1)
    assert.deepEqual(faultsOf(questions, { a: '100' }), {})
    assert.deepEqual(Object.keys(faultsOf(questions, {})), [pointerOf(questions, {}, 'a')])
  })
})
