// A candidate can let the browser translate the page.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited } from './support/api.ts'
import { assessment, long, singleChoice, stage } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { translated, translatedNames, wrongTexts } from './support/translation.ts'
import { until } from './support/until.ts'

after(disconnect)

test('37: In a translated page, the clock runs, and each view shows its own texts', async (t) => {
  const { stages = [] } = long(12)
  const last = stage({ title: 'Last', questions: [singleChoice] })
  const made = assessment([stage({ ...stages[0]!, timeLimitMinutes: 20 }), last])
  const invite = await invited(made, { settings: { supportEmail: 'jobs@harbour-kitchens.example' } })
  const { page } = await open(t, invite.link, { before: translated() })
  const candidate = new Candidate(page)
  const check = async () => {
    assert.deepEqual(await wrongTexts(page), [])
    assert.deepEqual(await translatedNames(page, ['Harbour Kitchens', 'Mei Lindqvist']), [])
  }
  await candidate.startButton().waitFor()
  await check()
  await candidate.start()
  const clock = page.getByRole('timer')
  const shown = new Set<string>()
  await until(async () => assert.ok(shown.add(await clock.innerText()).size >= 3))
  for (let number = 1; number <= 12; number++) {
    await candidate.seeQuestion(number)
    if (number % 4 === 1) await candidate.choose('57 °C')
    if (number % 4 === 3) await candidate.type('about 70')
    await candidate.flag()
    await check()
    if (number < 12) await candidate.next()
  }
  await candidate.back()
  await candidate.seeQuestion(11)
  await candidate.type('74.5')
  await candidate.seeSaved()
  await candidate.clear()
  await candidate.button('time.say').click()
  await check()
  await candidate.openOverview()
  await check()
  await candidate.button('all.all').click()
  await candidate.see('all.title')
  await check()
  await candidate.openOverview()
  await candidate.button('all.one').click()
  await candidate.openOverview()
  await candidate.submit()
  await check()
  await candidate.confirm()
  await candidate.read('stage.ended.submitted')
  await check()
  await candidate.submitStage()
  await candidate.seeEnd()
  await check()
})
