// Answers that arrive late, or not at all.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventually, ok, organization, savedAnswers, type Assessment } from './support/api.ts'
import { eachType, timed, twoStages } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { abort, loseResponse, setOffline } from './support/network.ts'
import { open } from './support/page.ts'
import { t as message } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

const answers = '/v1/candidate/session/answers'

// One organization is enough, and registering many at once would make the server busy.
const owner = organization()
const invited = async (assessment: Assessment) => {
  const made = await owner
  return { ...(await made.invite(await made.publish(assessment))), organization: made }
}

describe('late answers', { concurrency: true }, () => {
  test('17: An answer entered before the deadline counts if it arrives within the grace period', async (t) => {
    const invite = await invited(timed(1))
    const { page, context } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await setOffline(context, true)
    await candidate.choose('57 °C')
    const { deadlineAt } = await ok(invite.candidate.GET('/v1/candidate/session/stage'))
    await page.waitForTimeout(Date.parse(deadlineAt!) - Date.now() + 1000)
    assert.deepEqual(await savedAnswers(invite), [null, null, null, null])
    await setOffline(context, false)
    const session = await eventually(
      () => invite.organization.session(invite.sessionId),
      ({ status }) => status === 'COMPLETED',
    )
    assert.equal(session.score, 20)
    assert.equal(await page.getByText(message('missed.text')).count(), 0)
  })

  test('17: The end page lists the answers that did not arrive, also after a reload', async (t) => {
    const invite = await invited(eachType())
    const { page } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    // The response to this save is lost, so the page does not know that the answer arrived.
    await loseResponse(page, answers, { times: 1 })
    await candidate.choose('57 °C')
    await eventually(
      () => savedAnswers(invite),
      (saved) => saved[0] !== null,
    )
    const restore = await abort(page, '/v1/')
    await candidate.next()
    for (const option of ['Cut melon', 'Garlic in oil']) await candidate.choose(option)
    await candidate.next()
    await candidate.type('74.5')
    // Meanwhile, the candidate hands in the stage on another device.
    const { id } = await ok(invite.candidate.GET('/v1/candidate/session/stage'))
    await ok(invite.candidate.POST('/v1/candidate/session/stage/submit', { body: { stageId: id } }))
    await restore()
    await candidate.seeEnd()
    for (let visit = 0; visit < 2; visit++) {
      const list = page.getByRole('listitem')
      await list.first().waitFor()
      await until(async () => assert.deepEqual(await list.allInnerTexts(), [
        message('missed.answer', { stage: 1, number: 2, answer: 'Cut melon; Garlic in oil' }),
        message('missed.answer', { stage: 1, number: 3, answer: '74.5' }),
      ]))
      await checkAxe(page, 'end with answers that did not arrive')
      await page.reload()
      await candidate.seeEnd()
    }
  })

  test('17: After two minutes offline, the candidate can save a copy of the answers', async (t) => {
    const invite = await invited(twoStages())
    const { page } = await open(t, invite.link, { before: (page) => page.clock.install() })
    const candidate = new Candidate(page)
    await candidate.start()
    await candidate.choose('57 °C')
    await candidate.seeSaved()
    await abort(page, '/v1/')
    await candidate.next()
    await candidate.next()
    await candidate.type('74.5')
    await page.getByRole('heading', { name: candidate.pattern('offline.title') }).waitFor()
    await page.clock.fastForward(110_000)
    assert.equal(await candidate.button('offline.copy').count(), 0)
    await page.clock.fastForward(12_000)
    await candidate.button('offline.copy').waitFor()
    await checkAxe(page, 'offline for long')
    const download = page.waitForEvent('download')
    await candidate.button('offline.copy').click()
    const file = await download
    assert.equal(file.suggestedFilename(), message('copy.file'))
    let copy = ''
    for await (const part of await file.createReadStream()) copy += String(part)
    const lines = copy.split('\r\n')
    const first = lines.indexOf('Which temperature keeps cooked rice safe?')
    assert.equal(lines[first + 1], message('copy.answer', { answer: '57 °C' }))
    assert.match(lines[first + 2]!, candidate.pattern('copy.saved'))
    const third = lines.indexOf('Which core temperature, in °C, must stuffed chicken reach?')
    assert.equal(lines[third + 1], message('copy.answer', { answer: '74.5' }))
    assert.match(lines[third + 2]!, candidate.pattern('copy.unsent'))
    assert.ok(lines.includes(message('copy.none')))
  })
})
