// Many candidates work behind one address, as in a school.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asCandidate, ok, organization, type Assay } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { startServer } from './support/server.ts'

const crowd = 200

test('200 candidates behind one address finish at once, and none is rate-limited', async (t) => {
  const server = await startServer({ env: { ASSAY_RATE_LIMITS: '' } })
  t.after(() => server.stop())
  const owner = await organization({}, server.url)
  const assessmentId = await owner.publish(eachType())
  const invitations = Array.from({ length: crowd }, (_, index) => ({
    assessmentId,
    candidateName: `Candidate ${index + 1}`,
    candidateEmail: `candidate-${index + 1}@candidate.example`,
  }))
  const { rows } = await ok(owner.api.POST('/v1/candidate-sessions/bulk', { body: { rows: invitations } }))
  const tokens = rows.map(({ session }) => new URL(session?.inviteUrl ?? '').hash.slice(1))
  assert.equal(new Set(tokens).size, crowd)

  const began = performance.now()
  const statuses = await Promise.all(tokens.map((token) => attend(server.url, asCandidate(token, server.url))))
  assert.ok(performance.now() - began < 60_000, 'all candidates work within the same minute')
  assert.deepEqual(statuses, Array(crowd).fill('COMPLETED'))
})

/** Does what the page does, from the first visit to the end, with one reload. Throws at the first refusal. */
async function attend(url: string, candidate: Assay): Promise<string> {
  await loadPage(url)
  await ok(candidate.GET('/v1/candidate/session'))
  await ok(candidate.POST('/v1/candidate/session/start'))
  await ok(candidate.GET('/v1/candidate/session/stage'))
  await loadPage(url)
  await ok(candidate.GET('/v1/candidate/session'))
  const stage = await ok(candidate.GET('/v1/candidate/session/stage'))
  const given = [{ optionId: 'b' }, { optionIds: ['melon'] }, { number: 74.5 }, { text: 'sesame' }]
  for (const [index, { id: questionId }] of stage.questions.entries()) {
    const answers = [{ questionId, answer: given[index] ?? null, revision: 1, seenRevision: 0 }]
    await ok(candidate.PUT('/v1/candidate/session/answers', { body: { stageId: stage.id, clientId: 'a', answers } }))
  }
  const { status } = await ok(candidate.POST('/v1/candidate/session/stage/submit', { body: { stageId: stage.id } }))
  await ok(candidate.GET('/v1/candidate/session'))
  return status
}

/** Loads the page with its scripts and styles, as a device that has visited no page of this server. */
async function loadPage(url: string): Promise<void> {
  const address = `${url}/take`
  const html = await load(address)
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => new URL(path!, address).href)
  assert.ok(parts.length >= 2, 'the page has a script and a style sheet')
  await Promise.all(parts.map(load))
}

async function load(address: string): Promise<string> {
  const response = await fetch(address)
  assert.equal(response.status, 200, address)
  return response.text()
}
