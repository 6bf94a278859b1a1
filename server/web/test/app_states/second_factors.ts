// States of second factors, of the sign-in with a company, and of a person in several organizations.
import type { Page } from 'playwright-core'
import { organization } from '../support/api.ts'
import { answer } from '../support/network.ts'
import type { User } from '../support/dashboard.ts'
import type { State } from './types.ts'

const requestId = 'req_01m6gagea5f23rz6arqmjfkxcm'
const at = '2026-11-20T10:00:00.000Z'
const codes = ['7kq2m-x9d4h', 'p3vzt-8fw6n', 'm4h7c-q2y9k', 'd8n5x-t6r3v', 'w9b2f-k7j4p', 'h6y3m-c8z5q', 'x2t9d-n4v7w',
  'r5k8p-b3f6h', 'q7w4j-y9m2c', 'v3z6n-d5x8t']
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const challenge = (methods: string[]) => ({
  challenge: 'chl_01m6ga3vfqffry3vc674nay4qv_0123456789abcdef0123456789abcdef',
  methods,
  expiresAt: '2036-11-20T10:05:00.000Z',
})

const outside = (page: Page) =>
  page.route(/\/app\/session$/, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ json: { data: { accessToken: null, registration: 'CLOSED' } } })
      : route.fallback(),
  )

const factors = {
  factors: [
    { id: 'fct_1', type: 'PASSKEY', name: 'Laptop', createdAt: at, lastUsedAt: null },
    { id: 'fct_2', type: 'TOTP', name: 'Phone', createdAt: at, lastUsedAt: at },
  ],
  recoveryCodesLeft: 9,
}

/** The server answers the list with these second factors. */
const having = (data: object) => (page: Page) =>
  answer(page, /\/v1\/me\/second-factors$/, { status: 200, data, method: 'GET', requestId })

/** The rest of the password form, answered in the server's place. */
function afterPassword(name: string, refusal: { status: number; code: string; secondFactor?: object }, seen: string): State {
  return {
    name,
    async reach(open) {
      const user = await open(await organization(), '/sign-in', { before: outside })
      await answer(user.page, '/app/session', { ...refusal, method: 'POST', requestId })
      await user.field('signIn.email').fill('samin@harbour-kitchens.example')
      await user.field('signIn.password').fill('copper lantern over the quay')
      await user.button('signIn.submit').click()
      await user.read(seen)
      return user
    },
  }
}

const step = (methods: string[]) => ({ status: 401, code: 'second_factor_required', secondFactor: challenge(methods) })

const refused = afterPassword('app-sign-in-company', { status: 403, code: 'sso_required' }, 'company.required')

const signIn: State[] = [
  afterPassword('app-sign-in-code', step(['TOTP', 'RECOVERY_CODE']), 'secondFactor.step'),
  refused,
  {
    name: 'app-sign-in-owner',
    async reach(open) {
      const user = await refused.reach(open)
      await user.button('secondFactor.owner.open').click()
      await user.read('secondFactor.owner.text')
      await user.field('signIn.password').fill('copper lantern over the quay')
      await user.field('secondFactor.owner.code').fill(codes[0]!)
      await user.button('signIn.submit').click()
      await user.read('secondFactor.owner.wrong')
      return user
    },
  },
  {
    name: 'app-sign-in-again-company',
    async reach(open) {
      const user = await open(await organization(), '/members', { before: withMe({ signInMethod: 'PROVIDER' }) })
      await user.see('members.title')
      await outside(user.page)
      await answer(user.page, '/v1/organization', { status: 401, code: 'token_expired', times: 1 })
      await user.link('nav.settings').first().click()
      await user.dialog('signIn.again').getByText(user.text('company.text')).waitFor()
      return user
    },
  },
  {
    name: 'app-sign-in-company-chosen',
    async reach(open) {
      const user = await open(await organization(), '/sign-in', { before: outside })
      await user.button('signIn.company').click()
      await user.read('company.text')
      return user
    },
  },
  {
    name: 'app-sign-in-company-failed',
    async reach(open) {
      const user = await open(await organization(), '/sign-in?error=email_not_accepted', { before: outside })
      await user.read('company.error.email_not_accepted')
      return user
    },
  },
]

async function addApp(user: User): Promise<void> {
  await answer(user.page, /\/v1\/me\/second-factors$/, {
    status: 200,
    requestId,
    method: 'POST',
    data: {
      id: 'fct_3', type: 'TOTP', secret, publicKey: null, expiresAt: at,
      uri: `otpauth://totp/Assay:samin@harbour-kitchens.example?secret=${secret}&issuer=Assay`,
    },
  })
  await user.button('secondFactor.add.TOTP').click()
  await user.field('secondFactor.password').fill('copper lantern over the quay')
  await user.button('secondFactor.next').click()
  await user.page.locator('svg.second-factor-qr').waitFor()
}

const security: State[] = [
  {
    name: 'app-security',
    async reach(open) {
      const user = await open(await organization(), '/profile', { before: having(factors) })
      await user.read('secondFactor.codes')
      return user
    },
  },
  {
    name: 'app-security-add',
    async reach(open) {
      const user = await open(await organization(), '/profile', { before: having({ factors: [], recoveryCodesLeft: 0 }) })
      await addApp(user)
      return user
    },
  },
  {
    name: 'app-security-codes',
    async reach(open) {
      const user = await open(await organization(), '/profile', { before: having(factors) })
      await answer(user.page, '/v1/me/recovery-codes', { status: 200, data: { codes }, requestId })
      await user.button('secondFactor.codes.renew').click()
      const question = user.dialog('secondFactor.codes.renew')
      await question.getByRole('button', { name: user.pattern('secondFactor.codes.renew') }).click()
      await user.read('secondFactor.codes.text')
      return user
    },
  },
  {
    name: 'app-security-company',
    async reach(open) {
      const user = await open(await organization(), '/profile', { before: withMe({ signInMethod: 'PROVIDER' }) })
      await user.read('profile.account.company')
      return user
    },
  },
  {
    name: 'app-security-again',
    async reach(open) {
      const data = { factors: factors.factors.slice(1), recoveryCodesLeft: 9 }
      const user = await open(await organization(), '/audit-log', { before: having(data) })
      await answer(user.page, '/v1/audit-log/export', { status: 403, code: 'reauthentication_required', requestId })
      await user.button('auditLog.export').click()
      await user.dialog('secondFactor.again.title').waitFor()
      return user
    },
  },
  {
    name: 'app-security-required',
    async reach(open) {
      const user = await open(await organization(), '/candidates', { before: withMe({ mustAddSecondFactor: true }) })
      await user.see('secondFactor.required.title')
      return user
    },
  },
  {
    name: 'app-security-required-add',
    async reach(open) {
      const user = await open(await organization(), '/candidates', { before: withMe({ mustAddSecondFactor: true }) })
      await addApp(user)
      return user
    },
  },
]

/** Changes what the server says about the person. */
const withMe = (change: object) => (page: Page) =>
  page.route(/\/v1\/me$/, async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { data: { ...data, ...change } } })
  })

const memberships = ['Harbour Kitchens', 'Quayside Foods', 'Night Porter Recruiting and Staffing Ltd'].map((name, i) => ({
  id: `usr_${i}`,
  organization: { id: `org_${i}`, name },
  role: ['ADMIN', 'OWNER', 'REVIEWER'][i],
  current: i === 0,
  joinedAt: at,
}))

const choice: State = {
  name: 'app-switch',
  async reach(open) {
    const user = await open(await organization(), '/grading', { before: withMe({ hasSeveralOrganizations: true }) })
    await user.see('grading.title')
    await answer(user.page, '/v1/me/memberships', { status: 200, data: memberships, requestId })
    await user.page.locator('.account summary').click()
    await user.button('nav.switch').click()
    await user.dialog('organizations.title').getByText('Quayside Foods').waitFor()
    return user
  },
}

/** Another tab is signed in to another organization now. */
const switched = (name: string, more: object, seen: string): State => ({
  name,
  async reach(open) {
    const made = await organization()
    const user = await open(made, '/members')
    await user.see('members.title')
    // The next access token belongs to another membership of the same person.
    const payload = Buffer.from(JSON.stringify({ sub: 'usr_other' })).toString('base64url')
    const person = { email: made.owner.email, organization: { name: 'Quayside Foods' }, ...more }
    await answer(user.page, '/app/session', { status: 200, data: { accessToken: `e30.${payload}.x` }, requestId })
    await answer(user.page, /\/v1\/me$/, { status: 200, data: person, requestId })
    await answer(user.page, '/v1/organization', { status: 401, code: 'token_expired', times: 1 })
    await user.link('nav.settings').first().click()
    await user.see('organizations.elsewhere.title')
    await user.button(seen).waitFor()
    return user
  },
})

const several: State[] = [
  choice,
  switched('app-switched-elsewhere', {}, 'organizations.elsewhere.back'),
  switched('app-switched-with-company', { signInMethod: 'PROVIDER' }, 'organizations.elsewhere.go'),
  {
    name: 'app-switch-company',
    async reach(open) {
      const user = await choice.reach(open)
      await answer(user.page, '/app/session', { status: 403, code: 'sso_required', method: 'POST', requestId })
      await user.dialog('organizations.title').getByText('Quayside Foods').click()
      await user.dialog('organizations.own.title').waitFor()
      return user
    },
  },
]

export const states: State[] = [...signIn, ...security, ...several]
