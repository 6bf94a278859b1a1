// The requests of the page to the server.
import { call, newAPI, type API, type Response_ } from '../shared/api.ts'
import { observe } from './clock.ts'

let api: API

/** identify sets the token of all requests. */
export function identify(token: string): void {
  api = newAPI(token)
}

/** request runs a request, and takes the server's time from its response. */
export async function request<R extends Response_>(
  send: (api: API, signal: AbortSignal) => Promise<R>,
  timeout?: number,
) {
  const outcome = await call((signal) => send(api, signal), timeout)
  if (outcome.kind === 'ok') {
    const { serverTime } = outcome.data as { serverTime: string }
    observe(serverTime, outcome.sent, outcome.received)
  }
  return outcome
}
