// The requests of the page to the server.
import { call, fits, newAPI, parse, type Outcome, type Response_ } from '../shared/api.ts'
import { token } from './link.ts'

const api = newAPI()

/**
 * acceptInvitation sets the password of an invited person and signs them in: the response
 * sets the cookie of the dashboard (see server/app_session.go).
 */
export function acceptInvitation(password: string): Promise<Outcome<unknown>> {
  const body = { type: 'invitation', token: token(), password }
  return call(
    (signal) => openSession(body, signal),
    (data) => fits(data, { accessToken: '' }),
  )
}

async function openSession(body: object, signal: AbortSignal): Promise<Response_> {
  // The script is in a folder below the address of the server.
  const response = await fetch(new URL('../app/session', import.meta.url), {
    method: 'POST',
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  const answer = parse(await response.text())
  return response.ok ? { data: answer as { data: unknown }, response } : { error: answer, response }
}

// The responses without content have a status that no sign-in page of a network has, and an id.
const isEmpty = (expected: number) => (_: unknown, { status, headers }: Response) =>
  status === expected && headers.has('X-Request-Id')

export function resetPassword(password: string) {
  const body = { token: token(), password }
  return call((signal) => api.POST('/v1/auth/reset-password', { body, signal }), isEmpty(204))
}

export function forgotPassword(email: string) {
  return call((signal) => api.POST('/v1/auth/forgot-password', { body: { email }, signal }), isEmpty(202))
}
