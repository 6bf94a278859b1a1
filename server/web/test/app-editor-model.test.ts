// The document of the editor, its steps, and what two editors have changed. Without a browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { completed } from '../src/app/editor/completed.ts'
import { docOf, idsOf, isSameContent, updateOf } from '../src/app/editor/contract.ts'
import { begin, commit, maxSteps, rebase, redo, undo } from '../src/app/editor/history.ts'
import { merge } from '../src/app/editor/merge.ts'
import * as model from '../src/app/editor/model.ts'
import { placeFaults } from '../src/app/editor/places.ts'
import * as rubric from '../src/app/editor/rubric.ts'
import { detailOf, question, stage } from './support/editor.ts'

const detail = detailOf({
  stages: [stage('s1', [question('q1'), question('q2'), question('q3')]), stage('s2', [question('q4')])],
})
const doc = docOf(detail)
const order = ({ stages }: model.Doc) =>
  stages.map(({ key, questions }) => [key, ...questions.map(({ key }) => key)].join(' '))

describe('The document', () => {
  test('an unchanged document needs no update, and a changed one sends what differs', () => {
    const ids = idsOf(doc, detail)
    assert.equal(updateOf(doc, doc, ids), undefined)
    const titled = model.setSetting(model.setSetting(doc, 'title', 'New'), 'instructions', '')
    assert.deepEqual(updateOf(titled, doc, ids), { title: 'New' })
    const prompted = model.setQuestion(doc, 'q2', { prompt: 'Changed?' })
    const sent = updateOf(prompted, doc, ids)!
    assert.deepEqual(Object.keys(sent), ['stages'])
    assert.equal(sent.stages![0]!.questions![1]!.prompt, 'Changed?')
    assert.equal(sent.stages![0]!.questions![1]!.id, 'q2')
  })

  test('a title without text is not sent', () => {
    const blank = model.setSetting(model.setSetting(doc, 'title', ' '), 'description', 'x')
    assert.deepEqual(updateOf(blank, doc, new Map()), { description: 'x' })
  })

  test('unchanged parts are shared', () => {
    const next = model.setQuestion(doc, 'q2', { points: 7 })
    assert.equal(next.stages[1], doc.stages[1])
    assert.equal(next.stages[0]!.questions[0], doc.stages[0]!.questions[0])
    assert.notEqual(next.stages[0]!.questions[1], doc.stages[0]!.questions[1])
    assert.equal(doc.stages[0]!.questions[1]!.points, 1)
  })

  test('a question moves in its stage, and on to the next stage', () => {
    assert.deepEqual(order(model.moveQuestion(doc, 'q2', -1)), ['s1 q2 q1 q3', 's2 q4'])
    assert.deepEqual(order(model.moveQuestion(doc, 'q3', 1)), ['s1 q1 q2', 's2 q3 q4'])
    assert.deepEqual(order(model.moveQuestion(doc, 'q4', -1)), ['s1 q1 q2 q3 q4', 's2'])
    assert.equal(model.moveQuestion(doc, 'q1', -1), doc)
    assert.equal(model.moveQuestion(doc, 'q4', 1), doc)
    assert.deepEqual(order(model.placeQuestion(doc, 'q1', 's2', 1)), ['s1 q2 q3', 's2 q4 q1'])
    assert.deepEqual(order(model.moveStage(doc, 's1', 1)), ['s2 q4', 's1 q1 q2 q3'])
  })

  test('criteria get free ids and the points that are left, and move', () => {
    const ids = (of: model.Doc) => model.questionOf(of, 'q1')!.rubric.map(({ id }) => id).join('')
    let next = model.setQuestion(doc, 'q1', { type: 'FREE_TEXT', points: 4 })
    assert.equal(rubric.isUneven(model.questionOf(next, 'q1')!), false)
    next = rubric.setCriterion(rubric.insertCriterion(next, 'q1', 0), 'q1', 'a', { points: 2.5, title: 'First' })
    assert.equal(rubric.isUneven(model.questionOf(next, 'q1')!), true)
    next = rubric.insertCriterion(next, 'q1', 1)
    assert.deepEqual(model.questionOf(next, 'q1')!.rubric[1], { id: 'b', title: '', points: 1.5, description: '' })
    assert.equal(rubric.isUneven(model.questionOf(next, 'q1')!), false)
    next = rubric.insertCriterion(next, 'q1', 0)
    assert.equal(model.questionOf(next, 'q1')!.rubric[0]!.points, 1)
    assert.equal(ids(next), 'cab')
    assert.equal(ids(rubric.stepCriterion(next, 'q1', 'c', 1)), 'acb')
    assert.equal(rubric.stepCriterion(next, 'q1', 'c', -1), next)
    assert.equal(ids(rubric.placeCriterion(next, 'q1', 'c', 2)), 'abc')
    assert.equal(ids(rubric.deleteCriterion(next, 'q1', 'a')), 'cb')
  })

  test('free text, a rubric, and a gate are sent as they were received', () => {
    const criteria = [
      { id: 'x', title: 'Time', points: 2, description: null },
      { id: 'y', title: 'Method', points: 1, description: 'An ice bath.' },
    ]
    const essay = question('q1', { type: 'FREE_TEXT', options: null, points: 3, maxWords: 200, rubric: criteria })
    for (const onFail of ['DISQUALIFY', 'CONTINUE', 'REVIEW']) {
      const gate = { required: onFail !== 'CONTINUE', minScore: 50, onFail }
      const received = detailOf({ stages: [{ ...stage('s1', [essay]), gate }] })
      const before = docOf(received)
      const after = model.setStage(before, 's1', { title: 'New' })
      const sent = updateOf(after, before, idsOf(before, received))!.stages![0]!
      assert.deepEqual(sent.gate, gate)
      assert.deepEqual(sent.questions![0], {
        id: 'q1', type: 'FREE_TEXT', prompt: 'Question q1', points: 3, explanation: null, maxWords: 200, rubric: criteria,
        bankQuestionId: null,
      })
    }
  })

  test('a document that an earlier version has kept is completed, and shares what it shared', () => {
    const { rubric: _, maxWords: __, ...old } = doc.stages[0]!.questions[0]!
    const gates = [{ required: true, minScore: 50 }, { required: false, minScore: 60 }] as unknown as model.Gate[]
    const stages = gates.map((gate, i) => ({ ...doc.stages[i]!, gate, questions: [old as model.Question] }))
    const present = completed({ ...doc, stages })
    const expected = [{ minScore: 50, onFail: 'DISQUALIFY' }, { minScore: 60, onFail: 'CONTINUE' }]
    assert.deepEqual(present.stages.map(({ gate }) => gate), expected)
    assert.deepEqual(present.stages[0]!.questions, [doc.stages[0]!.questions[0]])
    assert.equal(completed({ ...doc, stages }).stages, present.stages)
    assert.deepEqual(completed(doc), doc)
  })

  test('options get free ids, and the key follows them', () => {
    let next = model.deleteOption(model.setCorrect(doc, 'q1', 'a', true), 'q1', 'a')
    assert.deepEqual(model.questionOf(next, 'q1')!.correct, [])
    next = model.insertOption(next, 'q1', 1, 'new')
    assert.deepEqual(model.questionOf(next, 'q1')!.options.map(({ id }) => id), ['b', 'a'])
    next = model.setCorrect(model.setQuestion(next, 'q1', { type: 'MULTIPLE_CHOICE' }), 'q1', 'a', true)
    next = model.setCorrect(next, 'q1', 'b', true)
    assert.deepEqual(model.questionOf(next, 'q1')!.correct, ['b', 'a'])
  })

  test('another type and back loses nothing', () => {
    const there = model.setQuestion(doc, 'q1', { type: 'NUMERIC' })
    const back = model.setQuestion(there, 'q1', { type: 'SINGLE_CHOICE' })
    assert.ok(isSameContent(back, doc))
    assert.ok(!isSameContent(there, doc))
  })

  test('faults have the places of their fields, wherever the questions move', () => {
    const fault = (pointer: string) => ({ in: 'body' as const, pointer, code: 'required' as const, detail: '' })
    const found = placeFaults(doc, ['/title', '/stages/1/title', '/stages/0/questions/2/prompt',
      '/stages/0/questions/0/options/1/text', '/stages/0/questions/0/correctOptionId'].map(fault))
    const places = ['/title', '/s/s2/title', '/q/q3/prompt', '/q/q1/options/b', '/q/q1/options']
    assert.deepEqual(found.map(({ place }) => place), places)
  })
})

describe('Undo and redo', () => {
  const typed = (title: string) => model.setSetting(doc, 'title', title)

  test('typing in one field is one step until a pause', () => {
    let history = begin(doc)
    for (const [i, title] of ['A', 'Ab', 'Abc'].entries()) {
      history = commit(history, typed(title), '/title', 1000 + i * 100)
    }
    history = commit(history, typed('Abc d'), '/title', 9000)
    assert.equal(history.past.length, 2)
    const first = undo(history)!.history
    assert.equal(first.present.settings.title, 'Abc')
    assert.equal(undo(first)!.history.present, doc)
    assert.equal(redo(first)!.history.present.settings.title, 'Abc d')
  })

  test('typing in two fields is two steps, and undo names the field', () => {
    let history = commit(begin(doc), typed('A'), '/title', 1000)
    history = commit(history, model.setSetting(history.present, 'description', 'B'), '/description', 1100)
    assert.equal(history.past.length, 2)
    assert.equal(undo(history)!.place, '/description')
  })

  test(`there are ${maxSteps} steps, and a new change ends redo`, () => {
    let history = begin(doc)
    for (let i = 0; i < maxSteps + 20; i++) history = commit(history, typed(`T${i}`), '/title')
    let count = 0
    for (let step = undo(history); step; step = undo(history)) {
      history = step.history
      count++
    }
    assert.equal(count, maxSteps)
    assert.equal(history.present.settings.title, 'T19')
    assert.equal(commit(history, typed('X'), '/title').future.length, 0)
  })

  test('undo does not undo what another editor has saved', () => {
    const mine = commit(begin(doc), typed('Mine'), '/title')
    const theirs = model.setQuestion(doc, 'q1', { prompt: 'Theirs' })
    const rebased = rebase(mine, (own) => merge(doc, own, theirs).doc)
    const undone = undo(rebased)!.history.present
    assert.equal(undone.settings.title, doc.settings.title)
    assert.equal(model.questionOf(undone, 'q1')!.prompt, 'Theirs')
  })
})

describe('Two editors', () => {
  const prompt = (key: string, prompt: string, from = doc) => model.setQuestion(from, key, { prompt })
  const places = (mine: model.Doc, theirs: model.Doc) => merge(doc, mine, theirs).conflicts.map(({ place }) => place)

  test('changes of different parts come together', () => {
    const mine = model.setSetting(prompt('q1', 'Mine'), 'passingScore', 50)
    const theirs = model.setStage(prompt('q2', 'Theirs'), 's2', { title: 'Their stage' })
    const { doc: both, conflicts } = merge(doc, mine, theirs)
    assert.deepEqual(conflicts, [])
    assert.equal(model.questionOf(both, 'q1')!.prompt, 'Mine')
    assert.equal(model.questionOf(both, 'q2')!.prompt, 'Theirs')
    assert.equal(both.settings.passingScore, 50)
    assert.equal(both.stages[1]!.title, 'Their stage')
  })

  test('a question that both change is a conflict, also in different fields', () => {
    const mine = prompt('q1', 'Mine')
    const theirs = model.setQuestion(doc, 'q1', { points: 9 })
    assert.deepEqual(places(mine, theirs), ['/q/q1'])
    assert.equal(model.questionOf(merge(doc, mine, theirs, () => 'theirs').doc, 'q1')!.points, 9)
    assert.equal(model.questionOf(merge(doc, mine, theirs, () => 'mine').doc, 'q1')!.prompt, 'Mine')
    assert.deepEqual(places(prompt('q1', 'Same'), prompt('q1', 'Same')), [])
  })

  test('questions that both add are kept, at their places', () => {
    const add = (stage: string, index: number, key: string) =>
      model.insertQuestions(doc, stage, index, [{ ...model.newQuestion(), key }])
    const { doc: both, conflicts } = merge(doc, add('s1', 1, 'mine'), add('s1', 3, 'theirs'))
    assert.deepEqual(conflicts, [])
    assert.deepEqual(order(both), ['s1 q1 mine q2 q3 theirs', 's2 q4'])
  })

  test('a deleted question that the other has changed is a conflict; an unchanged one is deleted', () => {
    const deleted = model.deleteQuestion(doc, 'q2')
    assert.deepEqual(places(deleted, prompt('q2', 'Theirs')), ['/q/q2'])
    assert.deepEqual(order(merge(doc, deleted, prompt('q2', 'Theirs'), () => 'theirs').doc), ['s1 q1 q2 q3', 's2 q4'])
    assert.deepEqual(order(merge(doc, prompt('q1', 'Mine'), deleted).doc), ['s1 q1 q3', 's2 q4'])
  })

  test('a deleted stage in which the other has changed a question is one conflict', () => {
    const deleted = model.deleteStage(doc, 's1')
    const theirs = prompt('q1', 'Theirs')
    assert.deepEqual(places(deleted, theirs), ['/s/s1'])
    assert.deepEqual(order(merge(doc, deleted, theirs, () => 'mine').doc), ['s2 q4'])
    assert.deepEqual(order(merge(doc, deleted, theirs, () => 'theirs').doc), ['s1 q1 q2 q3', 's2 q4'])
  })

  test('one may move while the other writes; if both move, a person decides', () => {
    const moved = model.moveQuestion(doc, 'q1', 1)
    assert.deepEqual(order(merge(doc, prompt('q1', 'Mine'), moved).doc), ['s1 q2 q1 q3', 's2 q4'])
    const other = model.placeQuestion(doc, 'q3', 's2', 0)
    assert.deepEqual(places(moved, other), ['/order'])
    assert.deepEqual(order(merge(doc, moved, other, () => 'mine').doc), ['s1 q2 q1 q3', 's2 q4'])
    assert.deepEqual(order(merge(doc, moved, other, () => 'theirs').doc), ['s1 q1 q2', 's2 q3 q4'])
  })
})
