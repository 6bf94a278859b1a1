// The requests of the page to the server.
import { call, newAPI, type Outcome, type Schemas } from '../shared/api.ts'
import { token } from './link.ts'

/** Who has joined, if the server could say it. */
export type Joined = Pick<Schemas['Me'], 'email' | 'role'> & { organization: string }

const api = newAPI()

/**
 * acceptInvitation sets the password of an invited person. The response is a sign-in,
 * which this page uses only to learn the organization's name, and then ends: a sign-in that
 * nobody uses would remain in the person's list for a week.
 */
export async function acceptInvitation(password: string): Promise<Outcome<Joined | undefined>> {
  const body = { token: token(), password }
  const accepted = await call((signal) => api.POST('/v1/auth/accept-invitation', { body, signal }))
  if (accepted.kind !== 'ok') return accepted
  const { accessToken, refreshToken } = accepted.data
  const me = await call((signal) => newAPI(accessToken).GET('/v1/me', { signal }))
  void call((signal) => api.POST('/v1/auth/logout', { body: { refreshToken }, signal }))
  if (me.kind !== 'ok') return { ...accepted, data: undefined }
  const { email, role, organization } = me.data
  return { ...accepted, data: { email, role, organization: organization.name } }
}

export function resetPassword(password: string) {
  const body = { token: token(), password }
  return call((signal) => api.POST('/v1/auth/reset-password', { body, signal }))
}

export function forgotPassword(email: string) {
  return call((signal) => api.POST('/v1/auth/forgot-password', { body: { email }, signal }))
}
