// States of the screens that show results: an assessment, a candidate, a comparison.
import { ok, organization, type Invite, type Organization } from '../support/api.ts'
import type { User } from '../support/dashboard.ts'
import { allBut, counted, finished, kitchen, work } from '../support/results.ts'
import type { Open, State } from './types.ts'

type Prepared = {
  graded: Invite
  made: Organization
  full: string
  few: string
  empty: string
  draft: string
  done: Invite[]
  invited: Invite
  working: Invite
  cancelled: Invite
  erased: Invite
  reviewed: Invite
}

async function prepare(): Promise<Prepared> {
  const made = await organization()
  const { id: draft } = await ok(made.api.POST('/v1/assessments', { body: kitchen }))
  const [full, few, empty] = await Promise.all([made.publish(kitchen), made.publish(kitchen), made.publish(kitchen)])
  const [invited, working, cancelled, erased] = await Promise.all([1, 2, 3, 4].map(() => made.invite(few)))
  const graded = await made.invite(await made.publish(kitchen))
  const path = (invite: Invite) => ({ params: { path: { id: invite.sessionId } } })
  await Promise.all([work(working!, kitchen, allBut(), 1), work(erased!, kitchen, allBut(1, 9))])
  await ok(made.api.POST('/v1/candidate-sessions/{id}/cancel', path(cancelled!)))
  await work(graded, kitchen, allBut(1, 2, 5))
  const { stages } = await ok(made.api.GET('/v1/candidate-sessions/{id}/result', path(graded)))
  const decide = (questionId: string, points: number, reason: string) =>
    ok(
      made.api.PUT('/v1/candidate-sessions/{id}/grades/{questionId}', {
        params: { path: { id: graded.sessionId, questionId } },
        body: { points, reason, version: 0 },
      }),
    )
  await decide(stages[0]!.questions[0]!.id, 1.5, 'The prompt did not say which scale it means')
  await decide(stages[1]!.questions[0]!.id, 4, 'All three are right in the kitchen of the test')
  await made.api.DELETE('/v1/candidate-sessions/{id}/candidate-data', path(erased!))
  const done = await finished(made, full, 20)
  const reviewed = done[5]!
  await ok(
    made.api.PUT('/v1/candidate-sessions/{id}/review/state', {
      ...path(reviewed),
      body: { stateId: 'shortlisted', reason: 'Strong in both stages' },
    }),
  )
  for (const text of ['Can start in January', 'Asked good questions about allergens']) {
    await ok(made.api.POST('/v1/candidate-sessions/{id}/review/comments', { ...path(reviewed), body: { text } }))
  }
  const add = ['Night shift', 'Speaks French', 'Reference checked', 'Can start in January']
  await ok(made.api.PATCH('/v1/candidate-sessions/{id}/review/tags', { ...path(reviewed), body: { add } }))
  await ok(made.api.PUT('/v1/candidate-sessions/{id}/review/rating', { ...path(reviewed), body: { rating: 4 } }))
  await ok(made.api.PATCH('/v1/candidate-sessions/{id}', { ...path(reviewed), body: { note: 'Call on Monday' } }))
  await Promise.all([counted(made, full, 20), counted(made, few, 1)])
  return {
    made,
    full,
    few,
    empty,
    draft,
    done,
    invited: invited!,
    working: working!,
    cancelled: cancelled!,
    erased: erased!,
    graded: graded,
    reviewed,
  }
}

let prepared: Promise<Prepared> | undefined
const shared = () => (prepared ??= prepare())

/** A state of a screen at an address, which is reached when a text is there. */
function state(
  name: string,
  path: (all: Prepared) => string,
  key: string,
  more?: (user: User) => Promise<unknown>,
): State {
  return {
    name: `results-${name}`,
    async reach(open: Open) {
      const all = await shared()
      // The sign-ins of one person are limited.
      const user = await open(all.made, path(all), { role: 'ADMIN' })
      await user.read(key)
      await more?.(user)
      return user
    },
  }
}

const openMenu = (item: string, title: string) => async (user: User) => {
  await user.page.locator('.head .more > summary[aria-label]').click()
  await user.page
    .locator('.head .menu')
    .getByRole('button', { name: user.text(item) })
    .click()
  await user.dialog(title).waitFor()
}

const press = (key: string, title: string) => async (user: User) => {
  await user.button(key).first().click()
  await user.dialog(title).waitFor()
}

/** Opens the choices of the button "Print", and chooses one. */
const printed = (choice?: string) => async (user: User) => {
  // The dialog of the browser would wait for a person.
  await user.page.evaluate(() => {
    window.print = () => void (document.documentElement.dataset.prints = '1')
  })
  await user.page.locator('.head summary', { hasText: user.text('candidate.print') }).click()
  if (!choice) return
  await user.button(choice).click()
  await user.page.locator('html[data-prints]').waitFor()
}

export const states: State[] = [
  state(
    'overview',
    ({ full }) => `/assessments/${full}`,
    'assessment.scores.passing',
    async (user) => {
      for (const summary of await user.page.locator('.as-table > summary').all()) await summary.click()
    },
  ),
  state('overview-few', ({ few }) => `/assessments/${few}`, 'assessment.scores.few'),
  state('overview-empty', ({ empty }) => `/assessments/${empty}`, 'assessment.none.title'),
  state(
    'overview-draft',
    ({ draft }) => `/assessments/${draft}`,
    'assessment.draft.title',
    async (user) => {
      await user.page.locator('.head .more > summary[aria-label]').click()
    },
  ),
  {
    name: 'results-overview-error',
    async reach(open) {
      const { made, full } = await shared()
      const user = await open(made, `/assessments/${full}`, {
        role: 'ADMIN',
        allow: [/^500/],
        before: (page) =>
          page.route('**/statistics', (route) =>
            route.fulfill({ status: 500, headers: { 'X-Request-Id': 'req_01m6gagea5f23rz6arqmjfkxcm' }, json: {} }),
          ),
      })
      await user.read('fault.broken')
      return user
    },
  },
  state('questions', ({ full }) => `/assessments/${full}/questions`, 'questions.byTrouble'),
  state('questions-few', ({ few }) => `/assessments/${few}/questions`, 'questions.few.title'),
  state('settings', ({ few }) => `/assessments/${few}/settings`, 'assessment.fact.title'),
  state(
    'archive',
    ({ empty }) => `/assessments/${empty}/settings`,
    'assessment.fact.title',
    press('assessment.archive.ask', 'assessment.archive.question'),
  ),
  state('candidate', ({ done }) => `/candidates/${done[4]!.sessionId}?answers=wrong`, 'candidate.answers.title'),
  state('candidate-stopped', ({ done }) => `/candidates/${done[3]!.sessionId}`, 'candidate.note.disqualified'),
  state('candidate-invited', ({ invited }) => `/candidates/${invited.sessionId}`, 'candidate.note.invited'),
  state('candidate-working', ({ working }) => `/candidates/${working.sessionId}`, 'candidate.progress.title'),
  state('candidate-cancelled', ({ cancelled }) => `/candidates/${cancelled.sessionId}`, 'candidate.note.cancelled'),
  state('candidate-erased', ({ erased }) => `/candidates/${erased.sessionId}`, 'candidate.answers.erased'),
  state('candidate-corrected', ({ graded }) => `/candidates/${graded.sessionId}?answers=wrong`, 'candidate.history.title'),
  state('candidate-earlier', ({ graded }) => `/candidates/${graded.sessionId}?revision=1`, 'candidate.history.toPresent'),
  state(
    'candidate-grade',
    ({ graded }) => `/candidates/${graded.sessionId}?answers=wrong`,
    'candidate.history.title',
    press('candidate.grade.change', 'candidate.grade.title'),
  ),
  state(
    'candidate-reopen',
    ({ done }) => `/candidates/${done[3]!.sessionId}`,
    'candidate.note.disqualified',
    openMenu('candidate.reopen', 'candidate.reopen.title'),
  ),
  state(
    'candidate-share',
    ({ done }) => `/candidates/${done[3]!.sessionId}`,
    'candidate.note.disqualified',
    async (user) => {
      await openMenu('candidate.share', 'share.title')(user)
      await user.field('share.label').fill('Ana Ruiz, head of kitchen')
      await user.button('share.create').click()
      await user.button('share.revoke').waitFor()
    },
  ),
  state(
    'candidate-reviewed',
    ({ reviewed }) => `/candidates/${reviewed.sessionId}`,
    'candidate.comments.title',
    async (user) => {
      await user.page.getByText('Asked good questions about allergens').waitFor()
      await user.page.locator('#review-state').selectOption('hired')
      await user.field('candidate.review.reason').waitFor()
    },
  ),
  state(
    'candidate-tags',
    ({ reviewed }) => `/candidates/${reviewed.sessionId}`,
    'candidate.comments.title',
    async (user) => {
      await user.button('candidate.tags.add').click()
      await user.field('candidate.tags.new').fill('Evening')
    },
  ),
  state(
    'candidate-print',
    ({ done }) => `/candidates/${done[4]!.sessionId}`,
    'candidate.answers.title',
    printed(),
  ),
  state(
    'candidate-print-full',
    ({ graded }) => `/candidates/${graded.sessionId}`,
    'candidate.history.title',
    printed('candidate.print.with'),
  ),
  state('candidate-missing', () => '/candidates/ses_01m7w6c3808a9d9sr9vwmxdq9q', 'problem.not_found'),
  state(
    'candidate-change',
    ({ invited }) => `/candidates/${invited.sessionId}`,
    'candidate.note.invited',
    openMenu('candidate.change', 'candidate.change.title'),
  ),
  state(
    'candidate-erase',
    ({ invited }) => `/candidates/${invited.sessionId}`,
    'candidate.note.invited',
    openMenu('candidate.erase', 'candidate.erase.question'),
  ),
  state(
    'candidate-extend',
    ({ working }) => `/candidates/${working.sessionId}`,
    'candidate.progress.title',
    press('candidate.extend', 'candidate.extend.title'),
  ),
  state(
    'candidate-resend',
    ({ invited }) => `/candidates/${invited.sessionId}`,
    'candidate.note.invited',
    press('candidate.resend', 'candidate.resend.title'),
  ),
  state(
    'compare',
    ({ done, invited }) => `/compare?ids=${[...done.slice(0, 4), invited].map(({ sessionId }) => sessionId).join()}`,
    'compare.stages',
  ),
  state(
    'compare-hidden',
    ({ done }) => `/compare?names=hidden&ids=${done[0]!.sessionId},${done[4]!.sessionId}`,
    'compare.stages',
  ),
  state(
    'compare-add',
    ({ done }) => `/compare?ids=${done[0]!.sessionId},${done[4]!.sessionId}`,
    'compare.stages',
    press('compare.add', 'compare.add.title'),
  ),
  state('compare-none', () => '/compare', 'compare.none.title'),
]
