// Opening the link changes nothing. Only the button starts the clock.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited } from './support/api.ts'
import { timed } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { answer, loseResponse, requestsTo } from './support/network.ts'
import { open } from './support/page.ts'

after(disconnect)

const startAddress = '/v1/candidate/session/start'

test('1: Opening the link changes nothing, and one press of the button starts the clock once', async (t) => {
  const invite = await invited(timed(20))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  const starts = requestsTo(page, startAddress)
  for (let reloads = 0; reloads < 3; reloads++) {
    await candidate.startButton().waitFor()
    await page.reload()
  }
  await candidate.button('intro.start.minutes', { count: 20 }).waitFor()
  assert.equal((await invite.organization.session(invite.sessionId)).status, 'INVITED')
  assert.equal(starts.length, 0)

  await candidate.startButton().dblclick()
  await candidate.seeQuestion(1)
  assert.deepEqual(
    starts.map((request) => request.method()),
    ['POST'],
  )
  const session = await invite.organization.session(invite.sessionId)
  assert.equal(session.status, 'IN_PROGRESS')
  assert.ok(session.startedAt)
})

test('1: A start whose response is lost goes on by itself, and one that did not happen can be repeated', async (t) => {
  const invite = await invited(timed(20))
  const { page } = await open(t, invite.link, { allow: [/^503: /] })
  const candidate = new Candidate(page)
  await answer(page, startAddress, { status: 503, times: 1 })
  await candidate.startButton().click()
  await page.getByRole('alert').getByText(candidate.pattern('intro.again')).waitFor()
  assert.equal((await invite.organization.session(invite.sessionId)).status, 'INVITED')

  await loseResponse(page, startAddress, { times: 1 })
  await candidate.start()
})
