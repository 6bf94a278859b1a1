// States of Settings, Sign-in: the sign-in of a company, and the members that it manages.
import type { Page } from 'playwright-core'
import type { Schemas } from '../support/api.ts'
import { ok, organization } from '../support/api.ts'
import type { DashboardOptions, User } from '../support/dashboard.ts'
import { answer } from '../support/network.ts'
import type { Open, State } from './types.ts'

const requestId = 'req_01m6gagea5f23rz6arqmjfkxcm'
const at = '2026-11-20T10:00:00.000Z'
const start = 'https://assay.example/sign-in/provider/start?organization=org_01m45jykxp4z1pn3k1vknkba2q'

const none: Schemas['SignInProvider'] = {
  issuer: null,
  clientId: null,
  scopes: ['openid', 'email', 'profile'],
  required: false,
  createMembers: false,
  defaultRole: 'MEMBER',
  roleClaim: null,
  roles: [],
  callbackUrl: 'https://assay.example/sign-in/provider/callback',
  startUrl: start,
  recoveryCodesLeft: 0,
  lastSucceededAt: null,
}

const untested: Schemas['SignInProvider'] = {
  ...none,
  issuer: 'https://login.microsoftonline.com/0b7c5a52-94d0-4c3b-a21e-8f3c6f1d2e90/v2.0',
  clientId: '6f1d2e90-8f3c-4c3b-94d0-0b7c5a52a21e',
}

const required: Schemas['SignInProvider'] = {
  ...untested,
  required: true,
  createMembers: true,
  roleClaim: 'groups',
  roles: [
    { value: 'hiring-team', role: 'EDITOR' },
    { value: 'https://directory.harbour-kitchens.example/groups/people', role: 'ADMIN' },
  ],
  recoveryCodesLeft: 2,
  lastSucceededAt: at,
}

const domain = (name: string, verifiedAt: string | null): Schemas['SignInDomain'] => ({
  id: `dom_${name}`,
  domain: name,
  state: verifiedAt ? 'VERIFIED' : 'PENDING',
  txtName: name,
  txtValue: 'assay-verification=0123456789abcdef0123456789abcdef',
  verifiedAt,
  createdAt: at,
})
const verified = domain('harbour-kitchens.example', at)
const pending = domain('recruiting.night-porter-staffing.example', null)

const codes = ['7kq2m-x9d4h', 'p3vzt-8fw6n', 'm4h7c-q2y9k', 'd8n5x-t6r3v', 'w9b2f-k7j4p', 'h6y3m-c8z5q', 'x2t9d-n4v7w',
  'r5k8p-b3f6h', 'q7w4j-y9m2c', 'v3z6n-d5x8t']

/** Opens the screen with what the server says about the sign-in. */
async function opened(
  open: Open,
  provider: Schemas['SignInProvider'],
  domains: Schemas['SignInDomain'][],
  options: DashboardOptions = {},
): Promise<User> {
  const before = async (page: Page) => {
    await answer(page, '/v1/organization/sign-in-provider', { status: 200, data: provider, method: 'GET', requestId })
    await answer(page, /\/v1\/organization\/domains$/, { status: 200, data: domains, method: 'GET', requestId })
  }
  const user = await open(await organization(), '/settings/sign-in', { before, ...options })
  await user.read('companySignIn.scim.none')
  return user
}

export const states: State[] = [
  { name: 'app-company-sign-in', reach: (open) => opened(open, none, []) },
  { name: 'app-company-sign-in-untested', reach: (open) => opened(open, untested, [pending]) },
  { name: 'app-company-sign-in-required', reach: (open) => opened(open, required, [verified]) },
  {
    name: 'app-company-sign-in-domains',
    async reach(open) {
      const user = await opened(open, none, [pending, verified])
      await answer(user.page, /\/domains\/[^/]+\/verify$/, { status: 409, code: 'domain_not_proved', requestId })
      await user.button('companySignIn.domain.check').click()
      await user.read('problem.domain_not_proved')
      return user
    },
  },
  {
    name: 'app-company-sign-in-codes',
    async reach(open) {
      const user = await opened(open, untested, [verified])
      await answer(user.page, '/v1/organization/sign-in-recovery-codes', { status: 200, data: { codes }, requestId })
      await user.button('companySignIn.codes.create').click()
      await user.read('companySignIn.codes.text')
      return user
    },
  },
  {
    name: 'app-company-sign-in-admin',
    reach: (open) => opened(open, required, [verified, pending], { role: 'ADMIN' }),
  },
  {
    name: 'app-company-sign-in-scim',
    async reach(open) {
      const made = await organization()
      for (const name of ['Entra ID', 'Okta']) {
        await ok(made.api.POST('/v1/api-keys', { body: { name, scopes: ['members:provision'] } }))
      }
      const user = await open(made, '/settings/sign-in')
      await user.read('companySignIn.scim.unused')
      return user
    },
  },
]
