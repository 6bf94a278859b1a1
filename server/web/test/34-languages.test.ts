// The choice of the language, and changing it.
import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually, invited, organization, savedAnswers, type Assessment, type Invite } from './support/api.ts'
import { assessment, eachType, numeric, shortText, singleChoice, stage } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { overflows } from './support/layout.ts'
import { overlaps } from './support/longer.ts'
import { abort, hold, requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { t as english } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

const file = (tag: string) => new RegExp(`/take/${tag}-\\w+\\.json$`)

/** Collects each language in which the page shows a heading, from the start. */
async function recordLanguages(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const { lang } = document.documentElement
      if (document.querySelector('h1:not(.unseen)') && seen.at(-1) !== lang) seen.push(lang)
    }).observe(document, { childList: true, subtree: true, attributes: true })
  })
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen)
}

/** The menu of languages. Its name depends on the language, its place does not. */
const menu = (page: Page) => page.getByRole('complementary').getByRole('combobox')

test('34: The address, the candidate, the assessment, the organization, and the browser choose the language, in this order', async (t) => {
  const owners = new Map<string | null, Promise<Awaited<ReturnType<typeof organization>>>>()
  const owner = (locale: string | null) => {
    if (!owners.has(locale)) owners.set(locale, organization({ locale }))
    return owners.get(locale)!
  }
  const cases = [
    { browser: 'fr-CA', shows: 'fr' },
    { browser: 'zh-CN', shows: 'zh-Hans' },
    { browser: 'zh-TW', shows: 'en' },
    { browser: 'pl-PL', organization: 'ar-EG', shows: 'ar' },
    { browser: 'de-DE', organization: 'ar', assessment: 'pt', shows: 'pt-BR' },
    { browser: 'de-DE', organization: 'es-MX', assessment: 'nl', shows: 'es' },
    { browser: 'de-DE', assessment: 'en', shows: 'en' },
    { browser: 'de-DE', assessment: 'pl', address: 'ja', shows: 'ja' },
    { browser: 'de-DE', assessment: 'pl', address: 'klingon', shows: 'pl' },
  ]
  await Promise.all(
    cases.map(async (one) => {
      const made = await owner(one.organization ?? null)
      const { link } = await made.invite(await made.publish(eachType({ locale: one.assessment ?? null })))
      let seen = async (): Promise<string[]> => []
      const { page } = await open(t, one.address ? link.replace('#', `?lang=${one.address}#`) : link, {
        locale: one.browser,
        before: async (page) => {
          seen = await recordLanguages(page)
        },
      })
      await new Candidate(page, one.shows).startButton().waitFor()
      const html = page.locator('html')
      await until(async () => assert.equal(await html.getAttribute('dir'), one.shows === 'ar' ? 'rtl' : 'ltr'))
      assert.deepEqual(await seen(), [one.shows], `${JSON.stringify(one)}: no other language appears`)
      assert.equal(new URL(page.url()).search, '')
      if (!one.address) return
      await page.reload()
      await new Candidate(page, one.shows).startButton().waitFor()
    }),
  )
})

test('34: The language of the browser loads while the page asks for the session', async (t) => {
  const { link } = await invited(eachType())
  let answer = () => {}
  let language: ReturnType<typeof requestsTo> = []
  const { page } = await open(t, link, {
    locale: 'de-DE',
    before: async (page) => {
      language = requestsTo(page, file('de'))
      answer = await hold(page, '/v1/candidate/session')
    },
  })
  await eventually(
    async () => language.length,
    (count) => count === 1,
  )
  answer()
  await new Candidate(page, 'de').startButton().waitFor()
})

test('34: A language that does not load is English for a while', async (t) => {
  const { link } = await invited(eachType({ locale: 'fr' }))
  let restore = async () => {}
  const { page } = await open(t, link, {
    before: async (page) => {
      restore = await abort(page, file('fr'))
    },
  })
  await new Candidate(page).startButton().waitFor()
  await until(async () => assert.equal(await page.locator('html').getAttribute('lang'), 'en'))
  await page.getByText(english('language.late', { language: 'Français' })).waitFor()
  await checkAxe(page, 'a language that does not load')
  await restore()
  await new Candidate(page, 'fr').startButton().waitFor()
})

test('34: Without any language, the page says that the server cannot be reached, until a language loads', async (t) => {
  const { link } = await invited(eachType())
  let restore = async () => {}
  const { page } = await open(t, link, {
    before: async (page) => {
      restore = await abort(page, file('en'))
    },
  })
  await new Candidate(page).see('page.unreachable.title')
  await checkAxe(page, 'no language')
  await restore()
  await new Candidate(page).startButton().waitFor()
})

test('34: Changing the language loses nothing', async (t) => {
  const invite = await invited(assessment([stage({ questions: [shortText, numeric, singleChoice] })]))
  const { page, context } = await open(t, invite.link)
  await new Candidate(page).start()

  await new Candidate(page).field().pressSequentially('ses')
  await menu(page).focus()
  await menu(page).selectOption('ar')
  let candidate = new Candidate(page, 'ar')
  await candidate.seeQuestion(1)
  await until(async () => assert.equal(await candidate.field().inputValue(), 'ses'))
  await until(async () =>
    assert.ok(await menu(page).evaluate((select) => select === document.activeElement), 'the focus stays in the menu'),
  )
  await checkAxe(page, 'question in Arabic')
  await candidate.field().press('End')
  await candidate.field().pressSequentially('ame')
  await eventually(
    () => savedAnswers(invite),
    ([first]) => first?.text === 'sesame',
  )

  await candidate.next()
  await candidate.field().pressSequentially('1e')
  await menu(page).selectOption({ label: 'Deutsch' })
  candidate = new Candidate(page, 'de')
  await candidate.seeQuestion(2)
  await until(async () => assert.equal(await candidate.field().inputValue(), '1e'))

  // The choice is kept for this session: after a reload, and in another tab.
  await page.reload()
  await candidate.seeQuestion(2)
  await until(async () => assert.equal(await page.locator('html').getAttribute('dir'), 'ltr'))
  await candidate.openOverview()
  await menu(page).selectOption('pl')
  candidate = new Candidate(page, 'pl')
  await candidate.see('overview.title')
  await candidate.submit()
  await menu(page).selectOption('ja')
  candidate = new Candidate(page, 'ja')
  await candidate.see('confirm.title')
  await page.close()
  const again = await open(t, invite.link, { context })
  candidate = new Candidate(again.page, 'ja')
  await candidate.see('confirm.title')
  await candidate.button('confirm.no').click()
  await candidate.jumpTo(1)
  await until(async () => assert.equal(await candidate.field().inputValue(), 'sesame'))

  // The browser forgets the session at its end, and the tab does not forget the language.
  await candidate.submitStage()
  await candidate.seeEnd()
  await menu(again.page).selectOption('fr')
  candidate = new Candidate(again.page, 'fr')
  await candidate.seeEnd()
  await again.page.reload()
  await candidate.seeEnd()
  assert.equal(await again.page.evaluate(countSessions), 0, 'sessions that the browser still keeps')
})

/** Runs in the page. Counts the sessions in its database. */
function countSessions(): Promise<number> {
  return new Promise((done, fail) => {
    const request = indexedDB.open('assay-take')
    request.onerror = () => fail(request.error)
    request.onsuccess = () => {
      const count = request.result.transaction('sessions').objectStore('sessions').count()
      count.onsuccess = () => done(count.result)
    }
  })
}

test('34: Without an invitation, the page has the language of the browser, and a menu', async (t) => {
  const { page } = await open(t, `${process.env.ASSAY_URL}/take`, { locale: 'es-AR' })
  await new Candidate(page, 'es').see('link.missing.title')
  const field = page.getByRole('textbox')
  await field.fill('https://')
  await menu(page).selectOption('pt-BR')
  await new Candidate(page, 'pt-BR').see('link.missing.title')
  await until(async () => assert.equal(await field.inputValue(), 'https://'))
  await page.reload()
  await new Candidate(page, 'pt-BR').see('link.missing.title')
})

type Content = {
  locale: string
  browser: string
  timeZone: string
  assessment: Assessment
  candidateName: string
  organization: string
  /** The texts of the options to choose, a number as people type it, and a text. */
  answers: [string, string, string]
}

const arabic: Content = {
  locale: 'ar',
  browser: 'ar-EG',
  timeZone: 'Africa/Cairo',
  organization: 'مطابخ المرفأ',
  candidateName: 'ليلى حدّاد',
  assessment: {
    title: 'طاهٍ مساعد: سلامة الغذاء',
    locale: 'ar',
    instructions: 'تحتاج إلى **ورقة وقلم**، وإلى HACCP.',
    stages: [
      {
        ...stage({ title: 'درجات الحرارة' }),
        questions: [
          {
            ...singleChoice,
            prompt: 'ما درجة الحرارة الآمنة للأرز المطبوخ؟ انظر `safe(t)`.\n\n```\nif (t > 57) safe(t)\n```',
            options: [
              { id: 'a', text: '٤١ درجة' },
              { id: 'b', text: '٥٧ درجة (135 °F)' },
            ],
            correctOptionId: 'b',
          } as typeof singleChoice,
          { ...numeric, prompt: 'ما درجة الحرارة الداخلية للدجاج المحشو؟' },
        ],
      },
      stage({
        title: 'مسببات الحساسية',
        timeLimitMinutes: 10,
        questions: [
          { ...shortText, prompt: 'اذكر بذرة تسبب الحساسية.', acceptedAnswers: ['سمسم'] } as typeof shortText,
        ],
      }),
    ],
  },
  answers: ['٥٧ درجة (135 °F)', '٧٤٫٥', 'سمسم'],
}

const japanese: Content = {
  locale: 'ja',
  browser: 'ja-JP',
  timeZone: 'Asia/Tokyo',
  organization: '港キッチン',
  candidateName: '佐藤 美咲',
  assessment: {
    title: 'ラインコック：食品の安全',
    locale: 'ja',
    instructions: '**紙とペン**をご用意ください。',
    stages: [
      {
        ...stage({ title: '温度' }),
        questions: [
          {
            ...singleChoice,
            prompt: '炊いたご飯を安全に保つ温度はどれですか。',
            options: [
              { id: 'a', text: '41 度' },
              { id: 'b', text: '57 度' },
            ],
            correctOptionId: 'b',
          } as typeof singleChoice,
          { ...numeric, prompt: '詰め物をした鶏肉の中心温度は何度ですか。' },
        ],
      },
      stage({
        title: 'アレルゲン',
        timeLimitMinutes: 10,
        questions: [
          {
            ...shortText,
            prompt: '主なアレルゲンの種子を一つ書いてください。',
            acceptedAnswers: ['ごま'],
          } as typeof shortText,
        ],
      }),
    ],
  },
  answers: ['57 度', '７４．５', 'ごま'],
}

/** The complete journey, from the intro to the end, through a stage that waits for its start. */
async function journey(t: TestContext, content: Content): Promise<void> {
  const { locale } = content
  const invite: Invite & { organization: Awaited<ReturnType<typeof organization>> } = await invited(
    content.assessment,
    {
      settings: {
        name: content.organization,
        locale,
        timeZone: content.timeZone,
        supportEmail: 'jobs@harbour-kitchens.example',
      },
      invite: { candidateName: content.candidateName },
    },
  )
  const { page } = await open(t, invite.link, { locale: content.browser, viewport: { width: 390, height: 800 } })
  const candidate = new Candidate(page, locale)
  const check = async (state: string) => {
    assert.deepEqual([...(await overflows(page)), ...(await overlaps(page))], [], state)
    await checkAxe(page, `${state} (${locale})`)
  }
  await candidate.startButton().waitFor()
  await check('intro')
  await candidate.start()
  await check('question')
  await candidate.choose(content.answers[0])
  await candidate.next()
  await candidate.type(content.answers[1])
  await eventually(
    () => savedAnswers(invite),
    ([, second]) => second?.number === 74.5,
  )
  await candidate.openOverview()
  await check('overview')
  await candidate.submit()
  await check('confirmation')
  await candidate.confirm()
  await candidate.button('stage.start').waitFor()
  await check('stage intro')
  await candidate.startStage()
  await candidate.type(content.answers[2])
  await candidate.submitStage()
  await candidate.seeEnd()
  await check('end')
  const session = await invite.organization.session(invite.sessionId)
  assert.deepEqual([session.status, session.score], ['COMPLETED', 100])
}

test('34: A candidate finishes in Arabic', (t) => journey(t, arabic))
test('34: A candidate finishes in Japanese', (t) => journey(t, japanese))
