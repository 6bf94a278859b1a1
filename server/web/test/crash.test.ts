// The server crashes while a candidate works.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { savedAnswers, eventually, organization } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { startServer } from './support/server.ts'

after(disconnect)

test('no answer is lost when the server is killed in the middle of a stage', async (t) => {
  const server = await startServer()
  t.after(() => server.stop())
  const owner = await organization({}, server.url)
  const invite = await owner.invite(await owner.publish(eachType()))
  const { page, allow } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.choose('57 °C')
  await candidate.seeSaved()

  await server.kill()
  await candidate.next()
  await candidate.choose('Cut melon')
  await candidate.next()
  await candidate.type('74.5')
  await candidate.next()
  await candidate.type('sesame')
  await candidate.page.getByText(candidate.pattern('save.waiting')).first().waitFor()

  allow(/^503: .*\/answers/) // the answer of the service while it opens the database
  await server.restart()
  const saved = await eventually(
    () => savedAnswers(invite),
    (answers) => answers.every((answer) => answer !== null),
  )
  assert.deepEqual(saved, [{ optionId: 'b' }, { optionIds: ['melon'] }, { number: 74.5 }, { text: 'sesame' }])
  await candidate.seeSaved()
  await candidate.submitStage()
  await candidate.seeEnd()
})
