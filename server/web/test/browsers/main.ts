// The main journey in Firefox and WebKit.
// Usage: make test-browsers
import assert from 'node:assert/strict'
import { eventually, invited, savedAnswers, type Schemas } from '../support/api.ts'
import { eachType } from '../support/assessments.ts'
import { startServer } from '../support/server.ts'
import { anyOf, pattern } from '../support/texts.ts'
import { startFirefox } from './firefox.ts'
import { click, read, seek, type, type Browser } from './remote.ts'
import { startWebKit } from './webkit.ts'

const folder = process.env.TEST_FOLDER ?? ''
const server = await startServer()
process.env.ASSAY_URL = server.url

for (const start of [startFirefox, startWebKit]) {
  const began = performance.now()
  const name = start.name.replace('start', '')
  try {
    const browser = await start(folder)
    try {
      await journey(browser)
    } finally {
      await browser.close()
    }
    console.log(`passed in ${name} (${Math.round(performance.now() - began)} ms)`)
  } catch (error) {
    console.error(`FAIL in ${name}:`, error)
    process.exitCode = 1
  }
}
await server.stop()

/** Answers a question of each type, reloads, and submits. */
async function journey(browser: Browser): Promise<void> {
  const invite = await invited(eachType())
  const saved = (fits: (answers: (Schemas['Answer'] | null)[]) => boolean) =>
    eventually(() => savedAnswers(invite), fits)
  const question = (number: number) => seek(browser, 'heading', pattern('question.number', { number }))
  const next = () => click(browser, 'button', pattern('question.next'))

  await browser.navigate(invite.link)
  await click(browser, 'button', anyOf(pattern('intro.start'), pattern('intro.start.minutes')))
  await question(1)
  await click(browser, 'radio', /57 °C/)
  await saved(([first]) => first?.optionId === 'b')
  await read(browser, pattern('save.saved'))
  await next()
  await question(2)
  for (const option of [/Cut melon/, /Cut tomatoes/, /Garlic in oil/]) await click(browser, 'checkbox', option)
  await next()
  await question(3)
  await type(browser, '74,5')
  await next()
  await question(4)
  await type(browser, 'sesame')
  const answers = await saved((all) => all.every((answer) => answer !== null))
  assert.deepEqual(answers, [
    { optionId: 'b' },
    { optionIds: ['melon', 'tomato', 'garlic'] },
    { number: 74.5 },
    { text: 'sesame' },
  ])

  await browser.execute('location.reload()')
  await question(4)
  assert.equal((await seek(browser, 'textbox')).value, 'sesame')

  await click(browser, 'button', pattern('question.overview'))
  await click(browser, 'button', pattern('overview.submit'))
  await click(browser, 'button', pattern('confirm.yes'))
  await seek(browser, 'heading', pattern('end.title'))
  const { status, score } = await invite.organization.session(invite.sessionId)
  assert.deepEqual([status, score], ['COMPLETED', 100])
}
