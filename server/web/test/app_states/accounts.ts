// States of the forms for a sign-in, of the members, the settings, and the profile.
import type { Page } from 'playwright-core'
import { organization, type Organization } from '../support/api.ts'
import { long } from '../support/assessments.ts'
import { colleague } from '../support/dashboard.ts'
import { inviteMember } from '../support/member.ts'
import { abort, answer, hold } from '../support/network.ts'
import type { State } from './types.ts'

/** Answers as a server does to a browser without a sign-in. */
const outside = (registration: string) => (page: Page) =>
  page.route(/\/app\/session$/, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ json: { data: { accessToken: null, registration } } })
      : route.fallback(),
  )

/** An organization with people of each role, and an open invitation. */
export async function staffed(): Promise<Organization> {
  const made = await organization({
    supportEmail: 'jobs@harbour-kitchens.example',
    privacyNotice: 'We keep your answers for **six months**.\n\n- Then we erase them.\n- You can ask us to erase them.',
    accentColor: '#7ec8a9',
    timeZone: 'Europe/Berlin',
  })
  await colleague(made, 'ADMIN', { name: 'Mei Lindqvist' })
  await colleague(made, 'MEMBER', { name: 'Jonas Weber' })
  await inviteMember(made, { name: 'Priya Raghunathan', role: 'MEMBER' })
  return made
}

const fault = { status: 500, code: 'internal', requestId: 'req_01m6gagea5f23rz6arqmjfkxcm' }

const outsideStates: State[] = (
  [
    ['app-sign-in', '/sign-in', 'CLOSED', 'signIn.title'],
    ['app-sign-in-open', '/sign-in', 'OPEN', 'signIn.title'],
    ['app-register', '/register', 'OPEN', 'register.title'],
    ['app-register-setup', '/register', 'SETUP', 'register.setup.title'],
    ['app-register-closed', '/register', 'CLOSED', 'register.closed.title'],
  ] as const
).map(([name, path, registration, title]) => ({
  name,
  async reach(open) {
    const user = await open(await organization(), path, { before: outside(registration) })
    await user.see(title)
    return user
  },
}))

const refusals: State[] = [
  {
    name: 'app-sign-in-refused',
    async reach(open) {
      const user = await open(await organization(), '/sign-in', { before: outside('CLOSED') })
      await user.field('signIn.email').fill('chef@harbour-kitchens.example')
      await user.field('signIn.password').fill('not the password')
      await user.button('signIn.submit').click()
      await user.read('problem.invalid_credentials')
      return user
    },
  },
  {
    name: 'app-sign-in-limited',
    async reach(open) {
      const before = async (page: Page) => {
        await outside('CLOSED')(page)
        await answer(page, '/app/session', {
          status: 429,
          code: 'rate_limited',
          retryAfter: 40,
          requestId: fault.requestId,
          method: 'POST',
        })
      }
      const user = await open(await organization(), '/sign-in', { before })
      await user.field('signIn.email').fill('chef@harbour-kitchens.example')
      await user.field('signIn.password').fill('not the password')
      await user.button('signIn.submit').click()
      await user.read('fault.limited')
      return user
    },
  },
  {
    name: 'app-register-faults',
    async reach(open) {
      const user = await open(await organization(), '/register', { before: outside('SETUP') })
      await user.field('signIn.password').fill('too short')
      await user.button('register.submit').click()
      await user.read('password.tooShort', { count: 12 })
      return user
    },
  },
  {
    name: 'app-unreachable',
    async reach(open) {
      const user = await open(await organization(), '/members', { before: (page) => abort(page, '/app/session') })
      await user.see('page.unreachable.title')
      return user
    },
  },
  {
    name: 'app-sign-in-again',
    async reach(open) {
      const user = await open(await organization(), '/members', { role: 'ADMIN' })
      await user.see('members.title')
      await outside('CLOSED')(user.page)
      await answer(user.page, '/v1/organization', { status: 401, code: 'token_expired', times: 1 })
      await user.link('nav.settings').first().click()
      await user.dialog('signIn.again').waitFor()
      return user
    },
  },
]

const members: State[] = [
  {
    name: 'app-members',
    async reach(open) {
      const user = await open(await staffed(), '/members')
      await user.row('Priya Raghunathan').waitFor()
      return user
    },
  },
  {
    name: 'app-members-read-only',
    async reach(open) {
      const user = await open(await staffed(), '/members', { role: 'MEMBER' })
      await user.row('Priya Raghunathan').waitFor()
      return user
    },
  },
  {
    name: 'app-members-alone',
    async reach(open) {
      const user = await open(await organization(), '/members')
      await user.page.getByText(user.pattern('members.alone.title')).waitFor()
      return user
    },
  },
  {
    name: 'app-members-loading',
    async reach(open) {
      const user = await open(await staffed(), '/members', { before: (page) => hold(page, '/v1/members') })
      await user.page.locator('.bone').last().waitFor()
      return user
    },
  },
  {
    name: 'app-members-fault',
    async reach(open) {
      const user = await open(await staffed(), '/members', {
        allow: [/^500: .*\/v1\/members/],
        before: (page) => answer(page, '/v1/members', fault),
      })
      await user.page.getByText(fault.requestId).waitFor()
      return user
    },
  },
  {
    name: 'app-members-invite',
    async reach(open) {
      const user = await open(await staffed(), '/members?dialog=invite')
      await user.dialog('members.invite.title').waitFor()
      return user
    },
  },
  {
    name: 'app-members-access',
    async reach(open) {
      const made = await staffed()
      for (const title of ['Line cook', 'Head chef', 'Night porter']) await made.publish({ ...long(3), title })
      const user = await open(made, '/members')
      const button = user.page.getByRole('button', { name: user.text('members.access.all') }).first()
      await button.click()
      await user.dialog('members.access.title').waitFor()
      await user.page.getByRole('radio', { name: user.text('members.access.some') }).check()
      await user.page.getByRole('checkbox', { name: 'Night porter' }).check()
      return user
    },
  },
  {
    name: 'app-members-link',
    async reach(open) {
      const user = await open(await organization(), '/members?dialog=invite')
      await user.page.getByRole('textbox', { name: user.text('members.name') }).fill('Tomás Ferreira')
      await user.field('members.email').fill('tomas@harbour-kitchens.example')
      await user.button('members.invite.submit').click()
      await user.dialog('members.link.title').waitFor()
      return user
    },
  },
  {
    name: 'app-members-remove',
    async reach(open) {
      const user = await open(await staffed(), '/members')
      await user.row('Jonas Weber').locator('summary').first().click()
      await user.row('Jonas Weber').first().getByRole('button', { name: user.pattern('members.remove') }).click()
      await user.dialog('members.remove.title').waitFor()
      return user
    },
  },
]

const ownScreens: State[] = [
  {
    name: 'app-settings',
    async reach(open) {
      const user = await open(await staffed(), '/settings')
      await user.field('settings.support').waitFor()
      await user.page.locator('#states ol').waitFor()
      return user
    },
  },
  {
    name: 'app-settings-draft',
    reach: async (open) => {
      const user = await open(await staffed(), '/settings')
      await user.field('settings.name').fill('Quayside Foods and Kitchens')
      await user.page.waitForFunction(() => Object.keys(sessionStorage).some((key) => key.startsWith('assay.draft')))
      await user.page.reload()
      await user.button('draft.discard').waitFor()
      return user
    },
  },
  {
    name: 'app-settings-read-only',
    async reach(open) {
      const user = await open(await staffed(), '/settings', { role: 'MEMBER' })
      await user.field('settings.support').waitFor()
      return user
    },
  },
  {
    name: 'app-settings-fault',
    async reach(open) {
      const user = await open(await staffed(), '/settings', {
        allow: [/^500: .*\/v1\/organization/],
        before: (page) => answer(page, '/v1/organization', fault),
      })
      await user.page.getByText(fault.requestId).waitFor()
      return user
    },
  },
  {
    name: 'app-profile',
    async reach(open) {
      const user = await open(await staffed(), '/profile')
      await user.read('profile.signIns.current')
      return user
    },
  },
  {
    name: 'app-profile-wrong-password',
    async reach(open) {
      const user = await open(await staffed(), '/profile')
      await user.field('profile.password.current').fill('not the password')
      await user.field('profile.password.new').fill('eleven grey herons at noon')
      await user.button('profile.password.change').click()
      await user.read('profile.password.wrong')
      return user
    },
  },
]

export const states: State[] = [...outsideStates, ...refusals, ...members, ...ownScreens]
