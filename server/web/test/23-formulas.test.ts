// Formulas in texts: the server makes MathML of them, and the pages need no script and no font.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { invited, type Schemas } from './support/api.ts'
import { assessment, stage } from './support/assessments.ts'
import { checkAxeInAllColors } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { openDraft } from './support/draft.ts'
import { Candidate } from './support/journey.ts'
import { overflows } from './support/layout.ts'
import { open } from './support/page.ts'
import { until } from './support/until.ts'

after(disconnect)

const sum = Array.from({ length: 40 }, (_, i) => `a_{${i}}`).join('+')
const withFormulas = {
  type: 'SINGLE_CHOICE' as const,
  points: 2,
  correctOptionId: 'a',
  prompt:
    `Solve $x^2=4$ for $x$, and $${sum}$ in a line.\n\n$$${sum}=\\frac{\\sqrt{b}}{\\boxed{c}}$$\n\n` +
    '$$\\begin{array}{|c|c|}\\hline 1&2\\\\\\hline\\end{array}\\quad\\overline{AB}\\quad\\cancel{x}$$',
  options: [
    { id: 'a', text: '$\\pm 2$' },
    { id: 'b', text: `$${sum}$` },
    { id: 'c', text: '$\\frac{1}{2}$' },
  ],
}

const words = ['Two', 'Four'].map((text) => ({ id: text, text }))
const narrow = { viewport: { width: 360, height: 800 } }

test('23: Formulas fit a narrow page, and programs that read aloud find them', async (t) => {
  const { page, requests } = await open(t, (await invited(assessment([stage({ questions: [withFormulas] })]))).link, narrow)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.seeQuestion(1)
  await until(async () => assert.equal(await page.getByRole('math').count(), 8))
  assert.deepEqual(await overflows(page), [])
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  await checkAxeInAllColors(page, 'formulas')

  // The keyboard reaches what scrolls, and nothing else.
  const shown = await page.locator('.formula').evaluateAll((all) =>
    all.map((formula) => ({
      scrolls: formula.scrollWidth > formula.clientWidth,
      focusable: formula.getAttribute('tabindex') === '0',
      direction: getComputedStyle(formula).direction,
      cut: formula.scrollHeight - formula.clientHeight,
    })),
  )
  assert.deepEqual(shown.map(({ scrolls }) => scrolls), [false, false, true, true, false, false, true, false])
  for (const [i, { scrolls, focusable, direction, cut }] of shown.entries()) {
    assert.equal(focusable, scrolls, `formula ${i}`)
    assert.equal(direction, 'ltr')
    assert.ok(cut <= 1, `${cut} pixels of formula ${i} are cut`)
  }
  assert.deepEqual(requests.filter((url) => /font|math|temml/i.test(url)), [])
})

test('23: A formula does not make its line higher, and stays left to right in Arabic', async (t) => {
  const questions = [{ ...withFormulas, prompt: '$x_1$ أوجد قيمة $x^2+1$ من المعادلة' }]
  const link = (await invited({ ...assessment([stage({ questions })]), locale: 'ar' })).link
  const { page } = await open(t, link, { ...narrow, colorScheme: 'dark' })
  const candidate = new Candidate(page)
  await page.locator('html[dir=rtl]').waitFor()
  await page.locator('.button.primary').first().click()
  const paragraph = page.locator('.prompt > p')
  await paragraph.waitFor()
  assert.equal(await candidate.page.locator('.prompt').evaluate((e) => getComputedStyle(e).direction), 'rtl')
  assert.equal(await page.locator('.prompt .formula').first().evaluate((e) => getComputedStyle(e).direction), 'ltr')
  const same = await page.locator('.prompt').evaluate((e) => {
    const color = (selector: string) => getComputedStyle(e.querySelector(selector)!).color
    return color('p') === color('math')
  })
  assert.ok(same, 'a formula has the color of its text')
  const heights = await paragraph.evaluate((e) => [e.getBoundingClientRect().height, parseFloat(getComputedStyle(e).lineHeight)])
  assert.ok(heights[0]! % heights[1]! < 6, `the lines are ${heights.join(' of ')} pixels high`)
})

test('23: What formulas cost: bytes of a stage with and without them', async (t) => {
  const bytes = async (question: Schemas['QuestionInput']) => {
    const { candidate } = await invited(assessment([stage({ questions: [question] })]))
    await candidate.POST('/v1/candidate/session/start')
    const { data } = await candidate.GET('/v1/candidate/session/stage')
    const body = JSON.stringify(data)
    return [body.length, gzipSync(body).length] as const
  }
  const plain = await bytes({ ...withFormulas, correctOptionId: 'Two', prompt: 'Solve x^2=4 for x.', options: words })
  const one = await bytes({ ...withFormulas, correctOptionId: 'Two', prompt: 'Solve $x^2=4$ for $x$.', options: words })
  const many = await bytes(withFormulas)
  t.diagnostic(`without formulas ${plain.join(', ')} compressed; with two ${one.join(', ')}; with eight ${many.join(', ')}`)
  assert.ok(one[1] - plain[1] < 200, 'two short formulas take less than 200 bytes')
})

test('23: The editor shows formulas, and names one that cannot be shown', async (t) => {
  const user = await openDraft(t, { title: 'Algebra', stages: [stage({ questions: [withFormulas] })] })
  const { page } = user
  await user.edit(1)
  const { prompt } = user
  await prompt.fill('Solve $y^2=9$.')
  const preview = page.locator('.editor-preview math[aria-label="y^2=9"]').first()
  await preview.waitFor()
  await prompt.fill('Solve $\\foo$.')
  await page.locator('.editor-preview code.formula-fault').first().waitFor()
  assert.equal(await page.locator('.editor-preview code.formula-fault').first().textContent(), '$\\foo$')
})
