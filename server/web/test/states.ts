// The states of the page that `make screenshots` takes pictures of. Each is reached as
// a candidate reaches it.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, invited, ok } from './support/api.ts'
import * as assessments from './support/assessments.ts'
import { abort, delay } from './support/network.ts'
import { sharedServer } from './support/server.ts'
import { atQuestion, introduced, rich, settings, started, state, type State } from './support/states.ts'
import { states as reviewStates } from './states_review.ts'
import { states as voluntaryStates } from './states_voluntary.ts'

const take = () => `${sharedServer()}/take`

export const states: State[] = [
  ...reviewStates,
  ...voluntaryStates,
  state('no-link', async (open) => {
    const candidate = await open(take())
    await candidate.see('link.missing.title')
    return candidate
  }),
  state('damaged-link', async (open) => {
    const { link } = await invited(rich)
    const candidate = await open(link.slice(0, -5))
    await candidate.page.getByText(candidate.pattern('link.missing.invalid')).waitFor()
    return candidate
  }),
  state('loading', async (open) => {
    const { link } = await invited(rich)
    const candidate = await open(link, { before: (page) => delay(page, '/v1/candidate/session', 60_000) })
    await candidate.heading('page.loading').waitFor()
    return candidate
  }),
  state('unreachable', async (open) => {
    const { link } = await invited(rich)
    const candidate = await open(link, { before: (page) => abort(page, '/v1/candidate/session') })
    await candidate.see('page.unreachable.title')
    return candidate
  }),
  state('replaced', async (open) => {
    const invite = await invited(rich)
    const path = { id: invite.sessionId }
    await ok(invite.organization.api.POST('/v1/candidate-sessions/{id}/resend', { params: { path } }))
    const candidate = await open(invite.link)
    await candidate.see('link.replaced.title')
    return candidate
  }),
  state('cancelled', async (open) => {
    const invite = await invited(rich, { settings })
    const path = { id: invite.sessionId }
    await ok(invite.organization.api.POST('/v1/candidate-sessions/{id}/cancel', { params: { path } }))
    const candidate = await open(invite.link)
    await candidate.see('link.cancelled.title')
    return candidate
  }),
  state('erased', async (open) => {
    const invite = await invited(rich)
    const path = { id: invite.sessionId }
    await invite.organization.api.DELETE('/v1/candidate-sessions/{id}/candidate-data', { params: { path } })
    const candidate = await open(invite.link)
    await candidate.see('link.erased.title')
    return candidate
  }),
  state('expired', async (open) => {
    const expiresAt = new Date(Date.now() + 2000).toISOString()
    const invite = await invited(rich, { settings, invite: { expiresAt } })
    await sleep(Date.parse(expiresAt) - Date.now())
    const candidate = await open(invite.link)
    await candidate.see('link.expired.title')
    return candidate
  }),
  state('continue', async (open) => {
    const { candidate } = await started(open, rich)
    const later = await open(take(), { context: candidate.page.context() })
    await candidate.page.close()
    await later.see('continue.title')
    return later
  }),
  state('intro', async (open) => {
    const { candidate } = await introduced(open, rich, { settings, invite: { extraTimePercent: 25 } })
    await candidate.startButton().waitFor()
    return candidate
  }),
  state('intro-kept', async (open) => {
    const invite = await invited(assessments.eachType())
    await ok(invite.organization.api.PUT('/v1/retention', { body: { months: 6 } }))
    const candidate = await open(invite.link)
    await candidate.read('intro.kept', { count: 6 })
    return candidate
  }),
  state('intro-plain', async (open) => {
    const { candidate } = await introduced(open, assessments.eachType())
    await candidate.startButton().waitFor()
    return candidate
  }),
  state('intro-before-it-opens', async (open) => {
    const opensAt = new Date(Date.now() + 26 * 3600_000).toISOString()
    const { candidate } = await introduced(open, { ...rich, opensAt }, { settings })
    await candidate.page.getByText(candidate.pattern('intro.opens')).waitFor()
    return candidate
  }),
  state('intro-with-problems', async (open) => {
    const { link } = await invited(rich, { settings })
    const candidate = await open(link, {
      before: (page) =>
        page.addInitScript(() => {
          IDBFactory.prototype.open = () => {
            throw new DOMException('blocked', 'SecurityError')
          }
        }),
    })
    await candidate.page.getByText(candidate.pattern('intro.noStorage')).waitFor()
    await candidate.startButton().click({ force: true })
    await candidate.page.context().setOffline(true)
    await candidate.page.getByRole('alert').waitFor()
    return candidate
  }),
  state('practice', async (open) => {
    const { candidate } = await introduced(open, rich)
    await candidate.button('intro.practice').click()
    await candidate.see('practice.title')
    return candidate
  }),
  state('closed', async (open) => {
    const closesAt = new Date(Date.now() + 2000).toISOString()
    const { candidate } = await introduced(open, { ...rich, closesAt }, { settings })
    await candidate.see('closed.title')
    return candidate
  }),
  state('closed-before-it-opens', async (open) => {
    const { candidate, invite } = await introduced(open, rich, { settings })
    const { organization, assessmentId } = invite
    const opensAt = new Date(Date.now() + 60 * 24 * 3600_000).toISOString()
    await ok(
      organization.api.PATCH('/v1/assessments/{id}', { params: { path: { id: assessmentId } }, body: { opensAt } }),
    )
    await candidate.page.reload()
    await candidate.see('closed.early.title')
    return candidate
  }),
  state('question-single', async (open) => {
    const candidate = await atQuestion(open, 1)
    await candidate.choose('57 °C')
    await candidate.seeSaved()
    return candidate
  }),
  state('question-multiple', async (open) => {
    const candidate = await atQuestion(open, 2)
    await candidate.choose('Cut melon')
    await candidate.flag()
    return candidate
  }),
  state('question-number', async (open) => {
    const candidate = await atQuestion(open, 3)
    await candidate.type('74,5')
    await candidate.seeSaved()
    return candidate
  }),
  state('question-number-invalid', async (open) => {
    const candidate = await atQuestion(open, 3)
    await candidate.type('about 70')
    await candidate.field().blur()
    return candidate
  }),
  state('question-text', async (open) => {
    const candidate = await atQuestion(open, 4)
    await candidate.type('sesame')
    await candidate.seeSaved()
    return candidate
  }),
  state('question-text-exact', async (open) => {
    const question = { ...assessments.shortText, exactMatch: true } as typeof assessments.shortText
    const candidate = await atQuestion(open, 1, assessments.assessment([assessments.stage({ questions: [question] })]))
    await candidate.type('sesame')
    await candidate.seeSaved()
    return candidate
  }),
  state('not-saved', async (open) => {
    const candidate = await atQuestion(open, 1)
    await candidate.page.context().setOffline(true)
    await candidate.choose('57 °C')
    await candidate.page.getByText(candidate.pattern('save.waiting')).first().waitFor()
    return candidate
  }),
  state('all-saved', async (open) => {
    const candidate = await atQuestion(open, 1)
    const restore = await abort(candidate.page, '/v1/')
    await candidate.choose('57 °C')
    await candidate.page.getByText(candidate.pattern('offline.title')).first().waitFor()
    await restore()
    await candidate.page.getByText(candidate.pattern('offline.over')).first().waitFor()
    return candidate
  }),
  state('offline-for-long', async (open) => {
    const { link } = await invited(assessments.timed(20))
    const candidate = await open(link, { before: (page) => page.clock.install() })
    await candidate.start()
    await abort(candidate.page, '/v1/')
    await candidate.choose('57 °C')
    await candidate.page.getByText(candidate.pattern('offline.title')).first().waitFor()
    await candidate.page.clock.fastForward(130_000)
    await candidate.button('offline.copy').waitFor()
    return candidate
  }),
  state('two-answers', async (open) => {
    const { candidate: other, invite } = await started(open, assessments.eachType())
    const candidate = await open(invite.link)
    await candidate.seeQuestion(1)
    await other.choose('41 °C')
    await other.seeSaved()
    await candidate.choose('57 °C')
    await candidate.button('conflict.mine.keep').waitFor()
    return candidate
  }),
  state('read-only', async (open) => {
    const { candidate, invite } = await started(open, assessments.eachType())
    const other = await open(invite.link, { context: candidate.page.context() })
    await other.button('otherTab.take').click()
    await candidate.button('readOnly.take').waitFor()
    return candidate
  }),
  state('overview', async (open) => {
    const candidate = await atQuestion(open, 1)
    await candidate.choose('57 °C')
    await candidate.next()
    await candidate.flag()
    await candidate.openOverview()
    return candidate
  }),
  state('all-questions', async (open) => {
    const candidate = await atQuestion(open, 1)
    await candidate.openOverview()
    await candidate.button('all.all').click()
    await candidate.see('all.title')
    return candidate
  }),
  state('leave', async (open) => {
    const candidate = await atQuestion(open, 1)
    await candidate.page.goBack()
    await candidate.page.getByRole('dialog').waitFor()
    return candidate
  }),
  state('question-code', async (open) => {
    const prompt =
      'What does this print?\n\n```javascript\nconst steps = [1, 2, 3]\nconsole.log(steps.map((step) => step * 2).join())\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'
    const { link } = await invited(
      assessments.assessment([assessments.stage({ questions: [{ ...assessments.numeric, prompt }] })]),
    )
    const candidate = await open(link)
    await candidate.start()
    return candidate
  }),
  state('options-code', async (open) => {
    const texts = [
      '```js\nconst total = orders.filter(({ paid }) => paid).reduce((sum, { amount }) => sum + amount, 0) // €\n```',
      '| Warehouse | September | October | November | December |\n|---|---|---|---|---|\n| North | 1,200 | 900 | 1,300 | 4,100 |',
      'The call `orders.filter(({ paid }) => paid).reduce((sum, { amount }) => sum + amount, 0).toFixed(2)`',
    ]
    const options = texts.map((text, at) => ({ id: `o${at}`, text }))
    const question = { ...assessments.singleChoice, prompt: 'Which of these adds the amounts?', options, correctOptionId: 'o0' }
    const { candidate } = await started(open, assessments.assessment([assessments.stage({ questions: [question] })]))
    await candidate.page.getByRole('radio').first().check()
    await candidate.seeSaved()
    return candidate
  }),
  state('confirm', async (open) => {
    const candidate = await atQuestion(open, 1)
    await candidate.choose('57 °C')
    await candidate.next()
    await candidate.flag()
    await candidate.openOverview()
    await candidate.submit()
    return candidate
  }),
  state('stage-intro', async (open) => {
    const { candidate } = await started(open, assessments.twoStages())
    await candidate.submitStage()
    await candidate.button('stage.start').waitFor()
    return candidate
  }),
  state('stage-intro-clock', async (open) => {
    const { candidate } = await started(open, { ...rich, timeLimitMinutes: 6 })
    await candidate.answerEachType()
    await candidate.submitStage()
    await candidate.button('stage.start').waitFor()
    return candidate
  }),
  state('next-stage', async (open) => {
    const next = assessments.stage({ title: 'Allergens', description: 'What a label must say.' })
    const { candidate } = await started(open, assessments.assessment([assessments.stage(), next]))
    await candidate.submitStage()
    await candidate.page.getByText(candidate.pattern('stage.ended.submitted')).waitFor()
    return candidate
  }),
  state('time-and-position', async (open) => {
    const candidate = await atQuestion(open, 1, assessments.timed(65))
    await candidate.button('time.say').click()
    return candidate
  }),
  state('warning', async (open) => {
    const candidate = await atQuestion(open, 1, assessments.timed(1))
    await candidate.page.getByText(candidate.pattern('time.warning.half')).first().waitFor({ timeout: 40_000 })
    return candidate
  }),
  state('time-up-offline', async (open) => {
    const candidate = await atQuestion(open, 4, assessments.timed(1))
    await candidate.page.context().setOffline(true)
    await candidate.type('sesame')
    await candidate.page
      .getByRole('complementary')
      .getByText(candidate.pattern('time.up.offline'))
      .waitFor({ timeout: 90_000 })
    return candidate
  }),
  state('confirm-offline', async (open) => {
    const candidate = await atQuestion(open, 1)
    await candidate.page.context().setOffline(true)
    await candidate.choose('57 °C')
    await candidate.openOverview()
    await candidate.submit()
    await candidate.confirm()
    await candidate.page.getByText(candidate.pattern('confirm.connection')).waitFor({ timeout: 30_000 })
    return candidate
  }),
  state('leaving', async (open) => {
    const redirectUrl = 'https://harbour-kitchens.example/thanks'
    const closingMessage = 'word '.repeat(200)
    const { candidate } = await started(open, assessments.eachType({ redirectUrl, closingMessage }))
    await candidate.submitStage()
    await candidate.button('leaving.stay').waitFor()
    return candidate
  }),
  state('end', async (open) => {
    const { candidate } = await started(open, assessments.eachType({ closingMessage: 'We answer within **a week**.' }))
    await candidate.submitStage()
    await candidate.seeEnd()
    return candidate
  }),
  state('end-gate', async (open) => {
    const { candidate } = await started(open, assessments.gated())
    await candidate.submitStage()
    await candidate.heading('end.title').or(candidate.page.getByRole('main')).first().waitFor()
    return candidate
  }),
  state('end-time-up', async (open) => {
    const { candidate, invite } = await started(open, assessments.timed(1, {}))
    await candidate.choose('57 °C')
    const session = () => invite.candidate.GET('/v1/candidate/session')
    await sleep(61_000)
    await eventually(
      () => ok(session()),
      ({ status }) => status !== 'IN_PROGRESS',
    )
    await candidate.page.getByRole('radio').first().waitFor({ state: 'detached' })
    return candidate
  }),
  state('other-tab', async (open) => {
    const { candidate, invite } = await started(open, rich)
    const second = await open(invite.link, { context: candidate.page.context() })
    await second.see('otherTab.title')
    return second
  }),
]
