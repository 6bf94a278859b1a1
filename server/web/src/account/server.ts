// The requests of the page to the server.
import { call, newAPI, type Outcome, type Response_ } from '../shared/api.ts'
import { token } from './link.ts'

const api = newAPI()

/**
 * acceptInvitation sets the password of an invited person and signs them in: the response
 * sets the cookie of the dashboard (see server/app_session.go).
 */
export function acceptInvitation(password: string): Promise<Outcome<unknown>> {
  const body = { type: 'invitation', token: token(), password }
  return call((signal) => openSession(body, signal))
}

async function openSession(body: object, signal: AbortSignal): Promise<Response_> {
  // The script is in a folder below the address of the server.
  const response = await fetch(new URL('../app/session', import.meta.url), {
    method: 'POST',
    credentials: 'same-origin',
    cache: 'no-store',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  const answer = (await response.json().catch(() => undefined)) as { data: unknown } | undefined
  return response.ok ? { data: answer, response } : { error: answer, response }
}

export function resetPassword(password: string) {
  const body = { token: token(), password }
  return call((signal) => api.POST('/v1/auth/reset-password', { body, signal }))
}

export function forgotPassword(email: string) {
  return call((signal) => api.POST('/v1/auth/forgot-password', { body: { email }, signal }))
}
