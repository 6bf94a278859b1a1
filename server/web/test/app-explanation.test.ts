// The explanation for a candidate, without a browser: what it says, and what it never says.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { partsOf, plainText, Writer, type Facts } from '../src/app/explanation/words.ts'

const folder = join(import.meta.dirname, '../src/app/explanation')
const writer = (tag: string) => new Writer(tag, JSON.parse(readFileSync(join(folder, `${tag}.json`), 'utf8')))

/** A candidate with 41 % where 50 % was needed, whose result has everything that the text must not have. */
function facts(more: { result?: object; rulings?: object[]; organization?: object } = {}): Facts {
  const gate = { required: true, minScore: 50, onFail: 'REVIEW', passed: false }
  const question = { scoredBy: 'KEY', prompt: 'a secret prompt', answer: { text: 'a secret answer' } }
  const stages = [
    { id: 's1', title: 'Temperatures', status: 'FAILED', score: 41, maxPoints: 9, gate, questions: [question] },
    { id: 's2', title: 'Cooling', status: 'NOT_REACHED', score: null, maxPoints: 1, gate: null, questions: [question] },
  ]
  return {
    result: {
      assessment: { id: 'a', title: 'Line cook' }, candidate: { name: 'Theo Marsh', email: 'theo@candidate.example' },
      status: 'DISQUALIFIED', score: 36.9, points: 3.69, maxPoints: 10, passingScore: 60, passed: null,
      decidedBy: 'RULE', completedAt: '2026-11-24T23:30:00.000Z', stages,
      disqualification: { stageId: 's1', stageTitle: 'Temperatures' }, ...more.result,
    },
    rulings: more.rulings ?? [],
    organization: {
      name: 'Harbour Kitchens', supportEmail: 'jobs@harbour-kitchens.example', mailReplyTo: null, privacyUrl: null,
      timeZone: 'Europe/Berlin', ...more.organization,
    },
  } as unknown as Facts
}

const stop = {
  stageId: 's1', decision: 'STOP', createdAt: '2026-11-25T10:00:00.000Z', reason: 'a secret reason',
  createdBy: { id: 'usr_1', name: 'a secret reviewer' },
}
const words = (tag: string, given: Facts) => plainText(partsOf(writer(tag), given))

describe('The explanation', () => {
  test('says the rule, the score, and that nobody decided', () => {
    const said = words('en', facts())
    for (const part of [
      'Hello Theo Marsh,', 'It ended on November 25, 2026.', '“Temperatures”: 1 question, 9 points.',
      '“Cooling”: 1 question, 1 point. You did not reach this part.',
      'To go on after “Temperatures”, 50% was needed. You reached 41%.', 'No person decided.',
      'Write to jobs@harbour-kitchens.example.',
    ])
      assert.ok(said.includes(part), `${part} is not in:\n${said}`)
    assert.ok(!said.includes('60%'), 'the mark of the whole does not matter to a candidate who was stopped')
  })

  test('says that a person decided, and never who and why', () => {
    for (const tag of ['en', 'de']) {
      const said = words(tag, facts({ rulings: [stop], result: { decidedBy: 'PERSON' } }))
      assert.match(said, tag === 'en' ? /a person looked at your answers/ : /hat eine Person Ihre Antworten/)
      assert.doesNotMatch(said, /secret|usr_1|theo@|\{|undefined|null/, said)
    }
  })

  test('counts only the newest decision about a stage', () => {
    const passed = { ...stop, decision: 'PASS', createdAt: '2026-11-26T10:00:00.000Z' }
    const result = { status: 'COMPLETED', passed: false, disqualification: null, decidedBy: 'PERSON' }
    const said = words('en', facts({ rulings: [passed, stop], result }))
    assert.match(said, /decided that you could go on/)
    assert.doesNotMatch(said, /ends there/)
    assert.match(said, /To pass the assessment, 60% of all points was needed. You reached 36.9%: 3.69 of 10 points./)
  })

  test('names the organization if there is no address', () => {
    const said = words('de', facts({ organization: { supportEmail: null } }))
    assert.match(said, /Schreiben Sie an Harbour Kitchens/)
  })
})
