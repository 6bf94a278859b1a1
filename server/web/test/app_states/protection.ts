// States of data protection: retention, legal holds, data about a person, and the deletion of the organization.
import { ok, organization } from '../support/api.ts'
import type { User } from '../support/dashboard.ts'
import { countSessions, email, hold, protectedPerson, type Protected } from '../support/protection.ts'
import type { Open, State } from './types.ts'

let prepared: Promise<Protected> | undefined
const shared = () =>
  (prepared ??= (async () => {
    const all = await protectedPerson()
    const { api } = all.made
    await hold(all.made, { assessmentId: all.assessmentId }, 'Audit of the year')
    await ok(
      api.PUT('/v1/retention', {
        body: { months: 12, notStartedMonths: 1, states: [{ stateId: 'rejected', months: 6 }] },
      }),
    )
    const path = { id: all.assessmentId }
    // It is not held.
    await all.made.invite(await all.made.publish({ title: 'Night porter', stages: one }), { candidateEmail: email })
    await ok(api.PUT('/v1/assessments/{id}/retention', { params: { path }, body: { months: 3 } }))
    return all
  })())

function state(
  name: string,
  path: (all: Protected) => string,
  reach: (user: User) => Promise<unknown>,
  options: Parameters<Open>[2] = { role: 'ADMIN' },
): State {
  return {
    name: `protection-${name}`,
    async reach(open) {
      const all = await shared()
      const user = await open(all.made, path(all), options)
      await reach(user)
      return user
    },
  }
}

/** The deletion is of another organization, because it changes each screen. */
function deletion(name: string, path: string, isScheduled: boolean, reach: (user: User) => Promise<unknown>): State {
  return {
    name: `protection-deletion-${name}`,
    async reach(open) {
      const made = await organization()
      await made.invite(await made.publish({ title: 'Line cook', stages: one }))
      if (isScheduled) await ok(made.api.POST('/v1/organization/deletion', { body: { name: made.name } }))
      const user = await open(made, path, name === 'member' ? { role: 'MEMBER' } : {})
      await reach(user)
      return user
    },
  }
}

const one = [
  { title: 'One', questions: [{ type: 'NUMERIC' as const, prompt: 'How many?', points: 1, answer: 1, tolerance: 0 }] },
]

const find = async (user: User, address = email) => {
  await user.field('protection.person.email').fill(address)
  await user.button('protection.person.find').click()
}

const openErasure = async (user: User) => {
  await find(user)
  await user.page.locator('#person table').waitFor()
  await user.page.locator('#person').getByRole('button', { name: user.text('protection.erase') }).click()
  await user.dialog('protection.erase.title').waitFor()
}

const inMenu = (item: string) => async (user: User) => {
  await user.page.locator('.head .more > summary[aria-label]').click()
  await user.page.locator('.head .menu').getByRole('button', { name: user.text(item) }).click()
}

const hash = (name: string) => () => `/settings/data-protection#${name}`

const save = (user: User) =>
  user.page.locator('#retention').getByRole('button', { name: user.text('protection.retention.save') }).click()

export const states: State[] = [
  state('settings', hash('retention'), (user) => user.page.locator('#holds [role=listitem]').last().waitFor()),
  state(
    'retention',
    hash('retention'),
    async (user) => {
      await user.button('protection.preview.show').first().click()
      await user.read('protection.preview.now', { count: 120 })
    },
    { role: 'ADMIN', before: (page) => countSessions(page) },
  ),
  state(
    'retention-question',
    hash('retention'),
    async (user) => {
      await user.field('protection.retention.months').fill('6')
      await save(user)
      await user.dialog('protection.question.erase').waitFor()
    },
    { before: (page) => countSessions(page, { limited: true }) },
  ),
  state('retention-faults', hash('retention'), async (user) => {
    await user.field('protection.retention.notStarted').fill('13')
    await save(user)
    await user.read('protection.retention.range', { max: 12 })
  }, {}),
  state('of-assessment', ({ assessmentId }) => `/assessments/${assessmentId}/settings`, async (user) => {
    await user.page.locator('#holds [role=listitem]').first().waitFor()
    await user.page.locator('#retention form').waitFor()
  }),
  state('release', hash('holds'), async (user) => {
    await user.button('protection.hold.release').first().click()
    await user.dialog('protection.release.title').waitFor()
  }),
  state('person', hash('person'), async (user) => {
    await find(user)
    await user.page.locator('#person table').waitFor()
  }),
  state('person-none', hash('person'), async (user) => {
    await find(user, 'nobody@candidate.example')
    await user.read('protection.person.none')
  }),
  state('person-erase', hash('person'), openErasure),
  {
    name: 'protection-person-erased',
    async reach(open) {
      const { made } = await protectedPerson()
      const user = await open(made, '/settings/data-protection#person')
      await openErasure(user)
      const dialog = user.dialog('protection.erase.title')
      await dialog.getByRole('textbox').fill(email)
      await dialog.getByRole('button', { name: user.text('protection.erase.submit') }).click()
      await user.read('protection.erased.held', { count: 1 })
      return user
    },
  },
  state('candidate', ({ held }) => `/candidates/${held}`, (user) => user.read('protection.note')),
  state('candidate-set', ({ free }) => `/candidates/${free}`, async (user) => {
    await user.read('protection.note')
    await inMenu('candidate.hold')(user)
    await user.dialog('protection.set.title').waitFor()
  }),
  deletion('schedule', '/settings#delete', false, async (user) => {
    await user.button('deletion.open').click()
    await user.dialog('deletion.schedule.title').waitFor()
  }),
  deletion('scheduled', '/settings#delete', true, (user) => user.read('deletion.at')),
  deletion('member', '/candidates', true, (user) => user.read('deletion.banner')),
]
