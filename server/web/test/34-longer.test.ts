// A language whose texts are 40 percent longer than English.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { overflows } from './support/overflow.ts'
import { open } from './support/page.ts'
import { register, texts } from './support/texts.ts'
import { states } from './states.ts'

after(disconnect)

const accents: Record<string, string> = { a: 'áà', e: 'éè', i: 'íì', o: 'óò', u: 'úù', y: 'ýÿ', A: 'Áà', E: 'Éè', I: 'Íì', O: 'Óò', U: 'Úù' }

/** Makes a text at least 40 percent longer, mostly inside its words, and keeps its parameters. */
function longer(text: string): string {
  const parts = text.split(/(\{\w+\})/)
  const made = parts.map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-z]/gi, (letter) => accents[letter] ?? letter)))
  const length = (all: string[]) => all.filter((_, index) => index % 2 === 0).join('').length
  const lacks = Math.ceil(length(parts) * 1.4) - length(made)
  const last = made.map((part, index) => index % 2 === 0 && /\p{L}/u.test(part)).lastIndexOf(true)
  if (lacks > 0 && last >= 0) made[last] = made[last]!.replace(/(\p{L})(\P{L}*)$/u, `$1${'ë'.repeat(lacks)}$2`)
  return made.join('')
}

const pseudo = Object.fromEntries(Object.entries(texts('en')).map(([key, message]) => [
  key,
  typeof message === 'string' ? longer(message) : Object.fromEntries(Object.entries(message).map(([form, text]) => [form, longer(text)])),
]))
register('pseudo', pseudo)

test('34: Texts that are 40 percent longer fit everywhere', { concurrency: 4 }, async (t) => {
  // The first state waits for a minute.
  const slow = ({ name }: { name: string }) => (name === 'end-time-up' ? 0 : 1)
  await Promise.all([...states].sort((a, b) => slow(a) - slow(b)).map(({ name, reach }) => t.test(`34: Longer texts fit: ${name}`, async (t) => {
    const candidate = await reach(async (link, options = {}) => {
      const { page } = await open(t, link, {
        ...options,
        locale: 'de-DE',
        viewport: { width: 360, height: 740 },
        allow: [/./], // other tests look for faults of the page
        before: async (page, context) => {
          // The page believes that this is German.
          await page.route(/\/take\/de-\w+\.json$/, (route) => route.fulfill({ json: pseudo }))
          await options.before?.(page, context)
        },
      })
      return new Candidate(page, 'pseudo')
    })
    assert.equal(await candidate.page.locator('html').getAttribute('lang'), 'de')
    assert.deepEqual(await overflows(candidate.page), [], 'at 360 px')
    await candidate.page.setViewportSize({ width: 1280, height: 800 })
    assert.deepEqual(await overflows(candidate.page), [], 'at 1280 px')
  })))
})
