// The requests of the page to the server.
import { call, fits, newAPI } from '../shared/api.ts'
import { token } from './link.ts'
import { openSession } from './session.ts'

const api = newAPI()

/**
 * acceptInvitation sets the password of an invited person and signs them in: the response
 * sets the cookie of the dashboard (see server/pages/app_session.go).
 */
export function acceptInvitation(password: string) {
  return openSession({ type: 'invitation', token: token(), password })
}

/** resetPassword sets a new password, and signs the person in, so that they can check what was made before. */
export function resetPassword(password: string) {
  return openSession({ type: 'reset', token: token(), password })
}

/** completeSignIn continues the sign-in of a person with a second factor. */
export function completeSignIn(challenge: string, proof: { code: string } | { passkey: string }) {
  return openSession({ type: 'second-factor', challenge, ...proof })
}

/** passkeyOptions requests what the browser needs to ask for a passkey. */
export function passkeyOptions(challenge: string) {
  return call(
    (signal) => api.POST('/v1/auth/second-factor/passkey-options', { body: { challenge }, signal }),
    (data) => fits(data, { publicKey: '' }),
  )
}

// The responses without content have a status that no sign-in page of a network has, and an id.
const isEmpty = (expected: number) => (_: unknown, { status, headers }: Response) =>
  status === expected && headers.has('X-Request-Id')

export function forgotPassword(email: string) {
  return call((signal) => api.POST('/v1/auth/forgot-password', { body: { email }, signal }), isEmpty(202))
}
