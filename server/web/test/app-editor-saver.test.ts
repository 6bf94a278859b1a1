// Saving in the editor: no change is lost, whatever the server and the network do. Without a browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { docOf, idsOf } from '../src/app/editor/contract.ts'
import * as model from '../src/app/editor/model.ts'
import { pause, Saver } from '../src/app/editor/saver.ts'
import type { Answer, Fault } from '../src/app/core/api.ts'
import type { Detail, Doc, Update } from '../src/app/editor/model.ts'
import { detailOf, pool, question, stage } from './support/editor.ts'

/** A server with one assessment, which answers as Assay does. */
class FakeServer {
  detail: Detail
  version = 1
  sent: Update[] = []
  /** How the next requests fail: before the server sees them, or with the response. */
  faults: (Fault | 'lost')[] = []

  constructor(detail: Detail) {
    this.detail = detail
  }

  get etag() {
    return `"${this.version}"`
  }

  async read(): Promise<Answer<Detail>> {
    return this.answer()
  }

  async update(body: Update, etag: string): Promise<Answer<Detail>> {
    const fault = this.faults.shift()
    if (fault !== undefined && fault !== 'lost') return { ok: false, fault }
    if (etag !== this.etag) return { ok: false, fault: { status: 412 } }
    this.sent.push(body)
    this.change(body)
    return fault === 'lost' ? { ok: false, fault: { status: 0 } } : this.answer()
  }

  /** Changes the assessment, as another editor does too. */
  change(body: Update): void {
    this.version++
    const stages = body.stages?.map((given, i) => ({
      ...stage(given.id ?? `stg_${this.version}_${i}`, []), title: given.title,
      questions: (given.questions ?? []).map((one, j) =>
        question(one.id ?? `qst_${this.version}_${i}_${j}`, { correctOptionId: null, ...(one as object) })),
      pools: (given.pools ?? []).map((one, j) => pool(one.id ?? `pol_${this.version}_${i}_${j}`, one)),
    }))
    this.detail = { ...this.detail, ...(body as Partial<Detail>), stages: stages ?? this.detail.stages }
  }

  private answer(): Answer<Detail> {
    const response = new Response(null, { headers: { ETag: this.etag } })
    return { ok: true, data: structuredClone(this.detail), response }
  }
}

function editor(server: FakeServer, kept?: { doc: Doc; base: Saver['base'] }) {
  const loaded = docOf(server.detail)
  const base = kept?.base ?? { doc: loaded, etag: server.etag, ids: idsOf(loaded, server.detail) }
  const planned: { act: () => void; milliseconds: number }[] = []
  const made = {
    doc: kept?.doc ?? base.doc,
    merges: 0,
    planned,
    saver: undefined as never as Saver,
    change(next: Doc) {
      made.doc = next
      made.saver.touch()
    },
    title: (title: string) => made.change(model.setSetting(made.doc, 'title', title)),
    prompt: (key: string, prompt: string) => made.change(model.setQuestion(made.doc, key, { prompt })),
  }
  made.saver = new Saver({
    base,
    read: () => server.read(),
    update: (body, etag) => server.update(body, etag),
    current: () => made.doc,
    rebase: (change) => (made.doc = change(made.doc)),
    changed: () => undefined,
    saved: () => undefined,
    merged: () => made.merges++,
    later(act, milliseconds) {
      const plan = { act, milliseconds }
      planned.push(plan)
      return () => void (planned.includes(plan) && planned.splice(planned.indexOf(plan), 1))
    },
  })
  return made
}

const newServer = () => new FakeServer(detailOf({ stages: [stage('s1', [question('q1'), question('q2')])] }))

describe('Saving', () => {
  test(`a change is saved ${pause} ms after the last one, once`, async () => {
    const server = newServer()
    const own = editor(server)
    own.title('A')
    own.title('Ab')
    assert.equal(own.saver.status.kind, 'waiting')
    assert.deepEqual(own.planned.map(({ milliseconds }) => milliseconds), [pause])
    await own.saver.save()
    assert.deepEqual(server.sent, [{ title: 'Ab' }])
    assert.equal(own.saver.status.kind, 'saved')
    assert.equal(own.saver.isDirty, false)
    await own.saver.save()
    assert.equal(server.sent.length, 1)
  })

  test('a change while a request runs is sent afterwards', async () => {
    const server = newServer()
    const own = editor(server)
    own.title('First')
    const saving = own.saver.save()
    own.doc = model.setSetting(own.doc, 'title', 'Second')
    await saving
    assert.equal(own.saver.status.kind, 'waiting')
    await own.saver.save()
    assert.deepEqual(server.sent, [{ title: 'First' }, { title: 'Second' }])
  })

  test('new questions get their ids, so the next request does not add them again', async () => {
    const server = newServer()
    const own = editor(server)
    const added = model.newQuestion()
    own.change(model.insertQuestions(own.doc, 's1', 1, [{ ...added, prompt: 'New' }]))
    await own.saver.save()
    own.prompt(added.key, 'Newer')
    await own.saver.save()
    const [, last] = server.sent
    assert.deepEqual(last!.stages![0]!.questions!.map(({ id }) => id), ['q1', 'qst_2_0_1', 'q2'])
  })

  test('a question whose deletion was saved is new again after undo', async () => {
    const server = newServer()
    const own = editor(server)
    const before = own.doc
    own.change(model.deleteQuestion(own.doc, 'q2'))
    await own.saver.save()
    own.change(before)
    await own.saver.save()
    assert.deepEqual(server.sent[1]!.stages![0]!.questions!.map(({ id }) => id), ['q1', undefined])
  })

  const passing = [{ status: 0 }, { status: 500 }, { status: 503, retryAfter: 7 }, { status: 429, retryAfter: 3 }]
  for (const fault of passing) {
    test(`a request that fails with ${fault.status} is repeated`, async () => {
      const server = newServer()
      server.faults = [fault]
      const own = editor(server)
      own.title('Kept')
      assert.equal(await own.saver.save(), false)
      assert.equal(own.saver.status.kind, 'unreachable')
      assert.ok(own.saver.isDirty)
      const [plan] = own.planned
      assert.ok(plan!.milliseconds >= (fault.retryAfter ?? 1) * 1000)
      await own.saver.save()
      assert.equal(server.detail.title, 'Kept')
      assert.equal(own.saver.status.kind, 'saved')
    })
  }

  test('a lost response does not add questions twice', async () => {
    const server = newServer()
    server.faults = ['lost']
    const own = editor(server)
    own.change(model.insertQuestions(own.doc, 's1', 2, [{ ...model.newQuestion(), prompt: 'New' }]))
    assert.equal(await own.saver.save(), false)
    assert.equal(await own.saver.save(), true)
    assert.equal(server.detail.stages[0]!.questions.length, 3)
    assert.equal(own.merges, 0)
    own.title('Next')
    await own.saver.save()
    assert.equal(server.detail.stages[0]!.questions.length, 3)
  })

  test('settings that the server refuses do not prevent saving the others', async () => {
    const server = newServer()
    const own = editor(server)
    own.change(model.setSetting(model.setSetting(own.doc, 'redirectUrl', 'nonsense'), 'title', 'Saved'))
    const refusal = { code: 'invalid_format' as const, detail: 'must be a URI' }
    const errors = [{ in: 'body' as const, pointer: '/redirectUrl', ...refusal }]
    server.faults = [{ status: 422, problem: { errors } as never }]
    assert.equal(await own.saver.save(), false)
    assert.deepEqual(server.sent, [{ title: 'Saved' }])
    assert.deepEqual(own.saver.status, { kind: 'held', fields: { redirectUrl: refusal } })
    assert.ok(own.saver.isDirty)
    own.change(model.setSetting(own.doc, 'redirectUrl', 'https://harbour-kitchens.example'))
    await own.saver.save()
    assert.equal(own.saver.status.kind, 'saved')
    assert.equal(server.detail.redirectUrl, 'https://harbour-kitchens.example')
  })

  test('a draft that was published or deleted elsewhere ends saving', async () => {
    for (const status of [404, 409]) {
      const server = newServer()
      server.faults = [{ status }]
      const own = editor(server)
      own.title('Late')
      assert.equal(await own.saver.save(), false)
      assert.equal(own.saver.status.kind, 'ended')
    }
  })
})

describe('Saving with another editor', () => {
  const theirs = (server: FakeServer, prompt: string, index: number) =>
    server.change({
      stages: server.detail.stages.map(({ id, title, questions }) => ({
        id, title, questions: questions.map((one, i) => ({
          id: one.id, type: 'SINGLE_CHOICE' as const, prompt: i === index ? prompt : one.prompt, points: one.points,
          options: one.options!.map(({ id, text }) => ({ id, text })), correctOptionId: one.correctOptionId,
        })),
      })),
    })

  test('changes of different questions are both kept, without a question', async () => {
    const server = newServer()
    const own = editor(server)
    own.prompt('q1', 'Mine')
    theirs(server, 'Theirs', 1)
    assert.equal(await own.saver.save(), true)
    assert.deepEqual(server.detail.stages[0]!.questions.map(({ prompt }) => prompt), ['Mine', 'Theirs'])
    assert.equal(own.merges, 1)
    assert.equal(model.questionOf(own.doc, 'q2')!.prompt, 'Theirs')
  })

  for (const side of ['mine', 'theirs'] as const) {
    test(`a change of the same question asks, and saves "${side}"`, async () => {
      const server = newServer()
      const own = editor(server)
      own.prompt('q1', 'Mine')
      theirs(server, 'Theirs', 0)
      assert.equal(await own.saver.save(), false)
      assert.equal(own.saver.status.kind, 'conflict')
      assert.equal(server.detail.stages[0]!.questions[0]!.prompt, 'Theirs')
      own.prompt('q2', 'Meanwhile')
      assert.equal(own.saver.status.kind, 'conflict')
      assert.equal(await own.saver.resolve(() => side), true)
      assert.deepEqual(server.detail.stages[0]!.questions.map(({ prompt }) => prompt),
        [side === 'mine' ? 'Mine' : 'Theirs', 'Meanwhile'])
    })
  }

  test('a third change after the question asks again', async () => {
    const server = newServer()
    const own = editor(server)
    own.prompt('q1', 'Mine')
    theirs(server, 'Theirs', 0)
    await own.saver.save()
    theirs(server, 'Theirs again', 0)
    assert.equal(await own.saver.resolve(() => 'mine'), false)
    assert.equal(own.saver.status.kind, 'conflict')
    assert.equal(await own.saver.resolve(() => 'mine'), true)
    assert.equal(server.detail.stages[0]!.questions[0]!.prompt, 'Mine')
  })

  test('unsaved changes of a closed tab are saved at the next start, also after another editor', async () => {
    const server = newServer()
    const first = editor(server)
    first.doc = model.setSetting(first.doc, 'title', 'From the closed tab')
    theirs(server, 'Theirs', 1)
    const next = editor(server, { doc: first.doc, base: first.saver.base })
    assert.equal(next.planned.length, 1)
    assert.equal(await next.saver.save(), true)
    assert.equal(server.detail.title, 'From the closed tab')
    assert.equal(server.detail.stages[0]!.questions[1]!.prompt, 'Theirs')
  })
})
