// The states of the page for passwords, for pictures and for the checks of every state.
// States that the shared server does not reach are answered in its place.
import { organization } from './support/api.ts'
import { inviteMember, goodPassword, type Member } from './support/member.ts'
import { abort, answer, delay, type Answer } from './support/network.ts'
import type { OpenOptions } from './support/page.ts'
import { sharedServer } from './support/server.ts'

export type Opener = (link: string, options?: OpenOptions) => Promise<Member>
export type State = { name: string; reach(open: Opener): Promise<Member> }

const accept = '/app/session'
const reset = '/app/session'
const forgot = '/v1/auth/forgot-password'

/** A link with the form of a real one. */
export const resetLink = () => `${sharedServer()}/reset-password#pwr_01m7w6c3808a9d9sr9vwmxdq9q_${'a'.repeat(43)}`
const forgotten = () => `${sharedServer()}/reset-password`
const invitationLink = () => `${sharedServer()}/accept-invitation#mbr_${'0'.repeat(64)}`

/** A state that the page reaches when the server answers a form. */
function answered(name: string, form: 'invitation' | 'reset' | 'forgot', given: Answer, seen: string): State {
  return {
    name,
    async reach(open) {
      const path = { invitation: accept, reset, forgot }[form]
      const link = { invitation: invitationLink(), reset: resetLink(), forgot: forgotten() }[form]
      const allow = given.status >= 500 ? [new RegExp(`^${given.status}: `)] : []
      const member = await open(link, { allow, before: (page) => answer(page, path, given) })
      if (form === 'forgot') await member.forget('jonas@harbour-kitchens.example')
      else await member.choose(goodPassword, form === 'reset' ? 'reset.change' : 'invitation.join')
      await member.read(seen)
      return member
    },
  }
}

const opened = (name: string, link: () => string, seen: string): State => ({
  name,
  async reach(open) {
    const member = await open(link())
    await member.see(seen)
    return member
  },
})

const secondFactor: Answer = {
  status: 401,
  code: 'second_factor_required',
  secondFactor: {
    challenge: 'chl_01m6ga3vfqffry3vc674nay4qv_0123456789abcdef0123456789abcdef',
    methods: ['TOTP', 'RECOVERY_CODE'],
    expiresAt: '2036-11-20T10:05:00.000Z',
  },
}
const weak = (code: string): Answer => ({ status: 400, code: 'invalid_request', fields: { '/password': code } })
const limited = (retryAfter: number): Answer => ({ status: 429, code: 'rate_limited', retryAfter })
const requestId = 'req_01m6gagea5f23rz6arqmjfkxcm'

export const states: State[] = [
  opened('invitation', invitationLink, 'invitation.title'),
  {
    name: 'invitation-short',
    async reach(open) {
      const member = await open(invitationLink())
      await member.choose('too short', 'invitation.join')
      await member.read('password.tooShort')
      return member
    },
  },
  answered('invitation-common', 'invitation', weak('too_common'), 'password.tooCommon'),
  {
    name: 'invitation-shown',
    async reach(open) {
      const member = await open(invitationLink())
      await member.password().fill(goodPassword)
      await member.button('password.show').click()
      await member.button('password.hide').waitFor()
      return member
    },
  },
  {
    name: 'invitation-sending',
    async reach(open) {
      const member = await open(invitationLink(), { before: (page) => delay(page, accept, 60_000) })
      await member.choose(goodPassword, 'invitation.join')
      await member.button('invitation.joining').waitFor()
      return member
    },
  },
  {
    name: 'invitation-offline',
    async reach(open) {
      const member = await open(invitationLink(), { before: (page) => abort(page, accept) })
      await member.choose(goodPassword, 'invitation.join')
      await member.read('failure.offline')
      return member
    },
  },
  answered('invitation-limited', 'invitation', limited(42), 'failure.limited'),
  answered('invitation-broken', 'invitation', { status: 500, code: 'internal', requestId }, 'failure.broken'),
  answered('invitation-used', 'invitation', { status: 401, code: 'unauthenticated' }, 'invitationUsed.title'),
  answered('invitation-expired', 'invitation', { status: 410, code: 'invitation_expired' }, 'invitationExpired.title'),
  answered('invitation-other-password', 'invitation', { status: 401, code: 'invalid_credentials' }, 'password.other'),
  answered('invitation-company', 'invitation', { status: 403, code: 'sso_required' }, 'joined.company'),
  {
    name: 'invitation-known',
    async reach(open) {
      const member = await open(invitationLink())
      await member.button('invitation.use').click()
      await member.read('password.known')
      return member
    },
  },
  answered('invitation-second-factor', 'invitation', secondFactor, 'factor.text'),
  answered('reset-second-factor', 'reset', secondFactor, 'factor.text'),
  {
    name: 'invitation-joined',
    async reach(open) {
      // 204 leaves the page as it is.
      const member = await open((await inviteMember(await organization())).link, {
        before: (page) => answer(page, /\/app$/, { status: 204 }),
      })
      await member.choose(goodPassword, 'invitation.join')
      await member.see('joined.title')
      return member
    },
  },
  opened('no-invitation', () => `${sharedServer()}/accept-invitation`, 'noInvitation.title'),
  opened('damaged-invitation', () => invitationLink().slice(0, -9), 'noInvitation.title'),
  opened('reset', resetLink, 'reset.title'),
  answered('reset-used', 'reset', { status: 401, code: 'unauthenticated' }, 'resetUsed.title'),
  answered('reset-expired', 'reset', { status: 410, code: 'password_reset_expired' }, 'resetExpired.title'),
  answered('reset-limited', 'reset', limited(1500), 'failure.limited'),
  answered('changed', 'reset', { status: 200, data: { accessToken: 'x' }, requestId: 'req_01m7zmzkma3gj92jhpbjpy36w3' }, 'changed.title'),
  opened('damaged-reset', () => resetLink().slice(0, -9), 'forgot.title'),
  opened('forgot', forgotten, 'forgot.title'),
  {
    name: 'forgot-invalid',
    async reach(open) {
      const member = await open(forgotten())
      await member.forget('jonas')
      await member.read('forgot.invalid')
      return member
    },
  },
  answered('sent', 'forgot', { status: 202, requestId: 'req_01m7zmzkma3gj92jhpbjpy36w3' }, 'sent.title'),
  answered('no-email', 'forgot', { status: 409, code: 'email_not_configured' }, 'noEmail.title'),
]
