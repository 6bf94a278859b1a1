// Whatever an author or a candidate writes can be read on a small phone and at 400 %.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, describe, test, type TestContext } from 'node:test'
import { ok, organization, type Assessment, type Invite, type Schemas } from './support/api.ts'
import { assessment, stage } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { codeLine, everywhere, hostileTexts, unreadable, type Texts } from './support/hostile.ts'
import { Candidate } from './support/journey.ts'
import { abort } from './support/network.ts'
import { open, type OpenOptions } from './support/page.ts'
import { sharedServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

// The bar repeats the name and the title, which the intro and the headings show.
const abridged = '.bar .who'

async function owner({ markdown, line }: Texts) {
  return organization({
    name: line.slice(0, 190),
    privacyNotice: markdown,
    privacyUrl: `https://${'privacy-'.repeat(7)}notice.example/${'p'.repeat(90)}`,
    supportEmail: `${'candidate.support.'.repeat(3)}x@${'very-long-name-'.repeat(3)}kitchens.example`,
    acknowledgementRequired: true,
  })
}

const candidateName = ({ line }: Texts) => line.slice(0, 190)

/** Collects what cannot be read, by the name of the view. */
class Reader {
  readonly faults: Record<string, unknown> = {}
  readonly candidate: Candidate

  constructor(candidate: Candidate) {
    this.candidate = candidate
  }

  async read(view: string): Promise<void> {
    const found = await unreadable(this.candidate.page, abridged)
    if (Object.keys(found).length > 0) this.faults[view] = found
  }
}

async function visitor(t: TestContext, link: string, options: OpenOptions = {}): Promise<Reader> {
  return new Reader(new Candidate((await open(t, link, options)).page))
}

for (const [kind, texts] of Object.entries(hostileTexts)) {
  describe(`33: ${kind} can be read in each view on each small screen`, { concurrency: 2 }, () => {
    // Not at once for all kinds, because many registrations make the server busy.
    let made: ReturnType<typeof owner> | undefined
    const invite = async (more: Partial<Assessment> = {}, of: Partial<Schemas['CandidateSessionCreate']> = {}) => {
      const owned = await (made ??= owner(texts))
      return owned.invite(await owned.publish(everywhere(texts, more)), { candidateName: candidateName(texts), ...of })
    }

    test(`${kind}: from the invitation to the end`, async (t) => {
      const redirectUrl = `https://${'kitchens-'.repeat(6)}thanks.example/`
      const { link } = await invite({ redirectUrl })
      const reader = await visitor(t, link)
      const { candidate } = reader
      await candidate.startButton().waitFor()
      await reader.read('invitation')
      await candidate.acknowledge()
      await candidate.start()
      await reader.read('single choice')
      if (kind === 'fencedCode' || kind === 'wideTable') await checkAxe(candidate.page, `options with ${kind}`)
      await candidate.page.getByRole('radio').first().check()
      await candidate.next()
      await candidate.page.getByRole('checkbox').nth(1).check()
      await reader.read('multiple choice')
      await candidate.next()
      await candidate.field().fill(texts.line)
      await reader.read('text')
      await candidate.next()
      await candidate.field().fill(texts.line)
      await candidate.field().blur()
      await reader.read('number')
      await candidate.openOverview()
      await reader.read('overview')
      await candidate.button('all.all').click()
      await candidate.see('all.title')
      await reader.read('all questions')
      await candidate.openOverview()
      await candidate.submit()
      await reader.read('confirmation')
      await candidate.confirm()
      await candidate.read('stage.ended.submitted')
      await reader.read('next stage')
      await candidate.submitStage()
      await candidate.button('stage.start').waitFor()
      await reader.read('stage that waits')
      await candidate.button('stage.start').click()
      await candidate.submitStage()
      await candidate.button('leaving.stay').click()
      await reader.read('end')
      assert.deepEqual(reader.faults, {})
    })

    test(`${kind}: answers of two devices, answers that did not arrive, and continuing`, async (t) => {
      const sent = await invite()
      const reader = await visitor(t, sent.link)
      const { candidate } = reader
      await candidate.acknowledge()
      await candidate.start()
      await candidate.next()
      await candidate.next()
      await answerOnAnotherDevice(sent, `elsewhere ${texts.line}`)
      await candidate.field().fill(texts.line)
      await candidate.button('conflict.mine.keep').waitFor()
      await reader.read('two answers')
      await candidate.button('conflict.mine.keep').click()
      await candidate.seeSaved()

      const restore = await abort(candidate.page, '/v1/')
      await candidate.field().fill(`${texts.line} again`)
      await candidate.read('offline.title')
      await reader.read('offline')
      const { id } = await ok(sent.candidate.GET('/v1/candidate/session/stage'))
      await ok(sent.candidate.POST('/v1/candidate/session/stage/submit', { body: { stageId: id } }))
      await restore()
      await candidate.read('missed.text')
      await reader.read('answers that did not arrive')

      const { page } = await open(t, `${sharedServer()}/take`, { context: candidate.page.context() })
      const later = new Reader(new Candidate(page))
      await later.candidate.see('continue.title')
      await later.read('continue')
      assert.deepEqual({ ...reader.faults, ...later.faults }, {})
    })

    test(`${kind}: links that lead to no assessment`, async (t) => {
      const [expiresAt, closesAt] = [4000, 4000].map((wait) => new Date(Date.now() + wait).toISOString())
      const [expired, closed] = [await invite({}, { expiresAt: expiresAt! }), await invite({ closesAt: closesAt! })]
      await sleep(Date.parse(closesAt!) - Date.now() + 500)
      const faults: Record<string, unknown> = {}
      for (const [sent, title] of [[expired, 'link.expired.title'], [closed, 'closed.title']] as const) {
        const reader = await visitor(t, sent.link)
        await reader.candidate.see(title)
        await reader.read(title)
        Object.assign(faults, reader.faults)
      }
      assert.deepEqual(faults, {})
    })
  })
}

/** Saves an answer to the third question, as another device of the candidate does. */
async function answerOnAnotherDevice({ candidate }: Invite, text: string): Promise<void> {
  const { id, questions } = await ok(candidate.GET('/v1/candidate/session/stage'))
  const answer = { questionId: questions[2]!.id, revision: Date.now(), seenRevision: 0, answer: { text } }
  const body = { stageId: id, clientId: 'another', answers: [answer] }
  await ok(candidate.PUT('/v1/candidate/session/answers', { body }))
}

test('33: An option is named by its code and its table, and stays reachable while they scroll', async (t) => {
  const line = codeLine.slice(0, 64) // which fits on a large screen
  const options = [
    { id: 'a', text: `\`\`\`js\n${line}\n\`\`\`` },
    { id: 'b', text: hostileTexts.wideTable!.markdown },
  ]
  const question = { type: 'SINGLE_CHOICE' as const, prompt: 'Which?', points: 1, options, correctOptionId: 'a' }
  const made = await organization()
  const { link } = await made.invite(await made.publish(assessment([stage({ questions: [question] })])))
  const { page } = await open(t, link, { viewport: { width: 360, height: 740 } })
  const candidate = new Candidate(page)
  await candidate.start()
  await page.getByRole('radio', { name: line }).waitFor()
  await page.getByRole('radio', { name: 'Temperature' }).waitFor()
  const blocks = page.locator('.option :is(pre, .scroll)')
  await until(async () => assert.equal(await blocks.and(page.locator('[tabindex="0"]')).count(), 2))
  await blocks.first().focus()
  await page.keyboard.press('ArrowRight')
  await until(async () => assert.ok((await blocks.first().evaluate((block) => block.scrollLeft)) > 0))

  // An answer renders the question again, and the blocks stay as they are.
  await page.getByRole('radio').first().check()
  await candidate.seeSaved()
  assert.equal(await page.locator('.option .scroll > table').count(), 1)
  await page.setViewportSize({ width: 1280, height: 800 })
  await until(async () => assert.equal(await blocks.first().getAttribute('tabindex'), null))
})
