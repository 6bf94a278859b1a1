// Long texts, which a person reads.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { words, tidy, fitting } from '../src/take/writing.ts'
import { eventually, ok, organization, savedAnswers, type Assessment } from './support/api.ts'
import { assessment, freeText, shortText, stage, written } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { announced, awaitAnnouncement } from './support/live.ts'
import { abort, answer, requestsTo } from './support/network.ts'
import { open, type OpenOptions } from './support/page.ts'
import { t as text } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

const limit = 20_000
const owner = organization()

async function working(t: Parameters<typeof open>[0], made: Assessment, more: OpenOptions = {}) {
  const company = await owner
  const invite = await company.invite(await company.publish(made))
  const opened = await open(t, invite.link, more)
  const candidate = new Candidate(opened.page)
  await candidate.start()
  return { ...opened, candidate, invite }
}

/** Pastes as the browser does, with the content of the clipboard. */
const paste = (page: Page, content: Record<string, string>) =>
  page
    .getByRole('main')
    .getByRole('textbox')
    .evaluate((field, types) => {
      const data = new DataTransfer()
      for (const [type, value] of Object.entries(types)) data.setData(type, value)
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      // A browser pastes only what a person pastes, so this does it.
      if (field.dispatchEvent(event)) document.execCommand('insertText', false, types['text/plain'])
    }, content)

const seeWords = (page: Page, count: number, asked = 200) =>
  page.getByText(text('field.words.asked', { count, asked }), { exact: true }).waitFor()

/** Texts of 20,000 characters: words, signs of three bytes, and characters of two units in JavaScript. */
const longest = {
  words: 'Cool it down. '.repeat(2000).slice(0, limit - 1) + '!',
  Arabic: 'أبرّد الحساء بسرعة. '.repeat(2000).slice(0, limit - 1) + '؟',
  Japanese: `${'急いで冷ます。'.repeat(30)}\n`.repeat(100).slice(0, limit - 1) + '終',
  emoji: '🍲'.repeat(limit),
}

test('21: Words are counted as word processors count them', () => {
  const counts: Record<string, number> = {
    '': 0,
    ' \n\t': 0,
    'I cool it.': 3,
    'well-known, don’t': 2,
    'one – two': 2,
    'a\u00a0b': 2,
    '3.5 kg & more': 3,
    急いで冷ます: 6,
    'Suppe 急冷 schnell': 4,
    'شوربة ساخنة': 2,
  }
  for (const [sentence, count] of Object.entries(counts)) assert.equal(words(sentence), count, sentence)
})

test('21: A pasted text loses what nobody sees, and nothing else', () => {
  assert.equal(tidy('“Smart” – it’s…\r\na\vb\rc\u2028d'), '“Smart” – it’s…\na\nb\nc\nd')
  assert.equal(tidy('a\u00a0b\u202fc\u200b\ufeff\u00ad\u2060d\0'), 'a b cd')
  for (const kept of ['می\u200cروم', '👩\u200d🍳', 'a\tb', '  a  \n\n b ', '\u200fאב']) assert.equal(tidy(kept), kept)
})

test('21: A text is divided between characters', () => {
  assert.deepEqual(fitting('🍲🍲🍲', 2), ['🍲🍲', '🍲'])
  assert.deepEqual(fitting('abc', 3), ['abc', ''])
  assert.deepEqual(fitting('abc', 0), ['', 'abc'])
})

describe('long texts', { concurrency: 2 }, () => {
  for (const [name, whole] of Object.entries(longest)) {
    test(`21: A text of 20,000 characters survives offline, a reload, and another device: ${name}`, async (t) => {
      const { page, candidate, invite } = await working(t, written())
      const restore = await abort(page, '/v1/')
      await candidate.field().fill(whole)
      await page.getByText(candidate.pattern('offline.title')).first().waitFor()
      await page.getByText(text('field.text.left', { count: 0 })).waitFor()
      await restore()
      // The page asks before it leaves with an answer that is not saved.
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await candidate.seeQuestion(1)
      await until(async () => assert.equal(await candidate.field().inputValue(), whole))
      await eventually(
        () => savedAnswers(invite),
        ([saved]) => saved?.text === whole,
      )
      const other = await open(t, invite.link)
      await new Candidate(other.page).seeQuestion(1)
      assert.equal(await new Candidate(other.page).field().inputValue(), whole)
    })
  }

  test('21: One character more is said to be too much, and the text stays', async (t) => {
    const { page, candidate, invite } = await working(t, written())
    await candidate.field().fill(longest.words)
    await candidate.seeSaved()
    await candidate.field().press('End')
    await candidate.field().press('x')
    await page.getByText(text('field.text.tooLong', { count: 1 })).last().waitFor()
    assert.equal((await candidate.field().inputValue()).length, limit + 1)
    assert.deepEqual(await savedAnswers(invite), [{ text: longest.words }])
    await candidate.openOverview()
    await page.getByText(text('state.unsaved')).first().waitFor()
    await candidate.jumpTo(1)
    assert.equal((await candidate.field().inputValue()).length, limit + 1)
  })

  test('21: A text from Word becomes plain text', async (t) => {
    const { page, candidate, invite } = await working(t, written())
    await candidate.field().focus()
    await paste(page, {
      'text/html': '<p><b>Ice</b>&nbsp;bath</p>',
      'text/plain': '“Ice\u00a0bath”:\r\n\uf0b7\tshallow\u00ad pans\r\n\r\n**not bold**\u200b',
    })
    const plain = '“Ice bath”:\n•\tshallow pans\n\n**not bold**'
    assert.equal(await candidate.field().inputValue(), plain)
    await seeWords(page, 6)
    await eventually(
      () => savedAnswers(invite),
      ([saved]) => saved?.text === plain,
    )
  })

  test('21: A paste is accepted up to the limit, the page says what was left out, and undo works', async (t) => {
    const { page, candidate, invite } = await working(t, written())
    await candidate.field().focus()
    await page.keyboard.type('First words. ')
    await paste(page, { 'text/plain': `${'a'.repeat(limit - 13)}Left out, from here.` })
    const start = 'Left out, from here.'
    const said = text('field.text.leftOut', { count: start.length, start })
    await page.getByText(said).last().waitFor()
    await awaitAnnouncement(page, said)
    const full = `First words. ${'a'.repeat(limit - 13)}`
    assert.equal(await candidate.field().inputValue(), full)
    await eventually(
      () => savedAnswers(invite),
      ([saved]) => saved?.text === full,
    )
    await paste(page, { 'text/plain': 'No room' })
    await page.getByText(text('field.text.leftOut', { count: 7, start: 'No room' })).last().waitFor()
    assert.equal(await candidate.field().inputValue(), full)
    await page.keyboard.press('Control+z')
    assert.equal(await candidate.field().inputValue(), 'First words. ')
    // The next change ends the notice.
    await until(async () => assert.equal(await page.getByRole('main').getByText('No room').count(), 0))
    await page.keyboard.press('Control+Shift+z')
    assert.equal(await candidate.field().inputValue(), full)
  })

  test('21: A paste of thousands of lines does not block the page', async (t) => {
    const { page, candidate } = await working(t, written())
    await candidate.field().focus()
    await paste(page, { 'text/plain': 'One\r\n'.repeat(4000) })
    assert.equal(await candidate.field().inputValue(), 'One\n'.repeat(4000))
    await page.getByText('4,000 words').waitFor()
  })

  test('21: The number of words is spoken in pauses, and not after each key', async (t) => {
    const { page, candidate } = await working(t, written())
    await candidate.field().focus()
    await seeWords(page, 0)
    const spoken = async () => (await announced(page)).filter((line) => / asked$/.test(line))
    await page.keyboard.type('word '.repeat(60))
    await seeWords(page, 60)
    assert.deepEqual(await spoken(), [])
    await awaitAnnouncement(page, text('field.words.asked', { count: 60, asked: 200 }))
    await page.keyboard.type('word '.repeat(3))
    await seeWords(page, 63)
    await page.keyboard.type('word '.repeat(140))
    await awaitAnnouncement(page, text('field.words.asked', { count: 203, asked: 200 }))
    assert.equal((await spoken()).length, 2)
  })

  test('21: The field grows, has the direction of its text, and Tab leaves it', async (t) => {
    const { page, candidate } = await working(t, written())
    const height = () => candidate.field().evaluate((field) => field.getBoundingClientRect().height)
    const before = await height()
    await candidate.field().fill('Line\n'.repeat(15))
    await until(async () => assert.ok((await height()) > before + 80))
    const most = 0.6 * (await page.evaluate(() => innerHeight))
    await candidate.field().fill('Line\n'.repeat(500))
    await until(async () => assert.ok((await height()) <= most + 1))
    await page.emulateMedia({ media: 'print' })
    // On paper, all lines are visible.
    await until(async () => assert.ok((await height()) > 500 * 20))
    await page.emulateMedia({ media: null })
    await candidate.field().fill('أبرّد الحساء بسرعة')
    assert.equal(await candidate.field().evaluate((field) => getComputedStyle(field).direction), 'rtl')
    assert.ok(await candidate.field().evaluate((field) => parseFloat(getComputedStyle(field).fontSize) >= 16))
    await candidate.field().press('Tab')
    assert.equal(await candidate.field().evaluate((field) => field === document.activeElement), false)
  })

  test('21: A composition is not disturbed', async (t) => {
    const { page, context, candidate, invite } = await working(t, written())
    await candidate.field().focus()
    const session = await context.newCDPSession(page)
    for (const typed of ['k', 'か', 'かn', 'かん']) {
      const at = typed.length
      await session.send('Input.imeSetComposition', { text: typed, selectionStart: at, selectionEnd: at })
      assert.equal(await candidate.field().inputValue(), typed)
    }
    await session.send('Input.insertText', { text: '缶' })
    assert.equal(await candidate.field().inputValue(), '缶')
    await eventually(
      () => savedAnswers(invite),
      ([saved]) => saved?.text === '缶',
    )
  })

  test('21: Two devices: the candidate chooses between two long texts', async (t) => {
    const { candidate, invite } = await working(t, written())
    const { page } = await open(t, invite.link)
    const other = new Candidate(page)
    await other.seeQuestion(1)
    await candidate.field().fill('From the first device.\nTwo lines.')
    await candidate.seeSaved()
    await other.field().fill('From the second device.')
    await page.getByText('From the first device.\nTwo lines.').waitFor()
    await other.button('conflict.theirs.keep').click()
    await until(async () => assert.equal(await other.field().inputValue(), 'From the first device.\nTwo lines.'))
  })

  test('21: Without the part for long texts, the field is a plain one, and the answer is saved', async (t) => {
    const { page, candidate, invite } = await working(t, written(), {
      before: (opened) => opened.route(/\/writing-/, (route) => route.abort()),
    })
    await candidate.field().fill('Two words')
    await eventually(
      () => savedAnswers(invite),
      ([saved]) => saved?.text === 'Two words',
    )
    assert.equal(await page.getByText(candidate.pattern('field.words.asked')).count(), 0)
  })

  test('21: A stage without a long text loads nothing for it, and the limit of a short text stays', async (t) => {
    const made = assessment([stage({ questions: [shortText, freeText] })])
    const { page, candidate, requests } = await working(t, made)
    const parts = () => requests.filter((address) => /\/writing-/.test(address)).length
    await candidate.field().fill('x'.repeat(1900))
    await page.getByText(text('field.text.left', { count: 100 })).waitFor()
    await candidate.field().fill('x'.repeat(2001))
    await page.getByText(text('field.text.tooLong', { count: 1 })).last().waitFor()
    assert.equal(parts(), 0)
    await candidate.next()
    await seeWords(page, 0)
    assert.equal(parts(), 1)
  })

  test('21: The server refuses nothing that the page lets through, and a refusal is said', async (t) => {
    const { page, candidate, invite } = await working(t, written())
    await candidate.field().fill('a\ud83c b') // half a character
    await candidate.seeSaved()
    const [saved] = await ok(invite.candidate.GET('/v1/candidate/session/stage')).then(({ questions }) => questions)
    assert.equal(saved!.answer?.text, 'a\ufffd b')
    const sent = requestsTo(page, '/answers', 'PUT')
    await answer(page, '/answers', { status: 400, method: 'PUT' })
    await candidate.field().fill('Refused')
    await page.getByText(candidate.pattern('save.refused')).first().waitFor()
    assert.ok(sent.length > 0)
  })
})
