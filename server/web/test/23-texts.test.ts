// Fields for texts: what a keyboard may do, and what counts.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited } from './support/api.ts'
import { assessment, shortText, stage } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { t as textOf } from './support/texts.ts'

after(disconnect)

test('23: A text field says when capitals count, and no keyboard changes what is typed', async (t) => {
  const questions = [shortText, { ...shortText, caseSensitive: true }, { ...shortText, exactMatch: true }]
  const { page } = await open(t, (await invited(assessment([stage({ questions })]))).link)
  const candidate = new Candidate(page)
  await candidate.start()
  const wanted = [
    { note: '', autocapitalize: 'sentences', spellcheck: 'true' },
    { note: textOf('field.text.CASE_SENSITIVE'), autocapitalize: 'none', spellcheck: 'false' },
    { note: textOf('field.text.EXACT'), autocapitalize: 'none', spellcheck: 'false' },
  ]
  for (const [i, { note, ...attributes }] of wanted.entries()) {
    await candidate.seeQuestion(i + 1)
    const field = candidate.field()
    const described = await field.getAttribute('aria-describedby')
    assert.equal(await page.locator(`[id="${described}"]`).textContent(), note)
    for (const [name, value] of Object.entries({ ...attributes, autocorrect: 'off', inputmode: 'text' })) {
      assert.equal(await field.getAttribute(name), value, `question ${i + 1}, ${name}`)
    }
    await checkAxe(page, `text field ${i + 1}`)
    if (i < 2) await candidate.next()
  }
})
