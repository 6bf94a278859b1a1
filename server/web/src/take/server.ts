// The requests of the page to the server.
import { call, fits, newAPI, type API, type Data, type Outcome, type Response_ } from '../shared/api.ts'
import { observe } from './clock.ts'

/** The client, with the token of the session. */
export let api: API

/** identify sets the token of all requests. */
export function identify(token: string): void {
  api = newAPI(token)
}

const time = { serverTime: '' }

/** A response of the session, with the fields without which the page cannot show it. */
export const takingShape = {
  ...time,
  id: '',
  status: '',
  organization: { name: '' },
  assessment: { title: '' },
  candidate: { name: '' },
  stages: [{ id: '', order: 0, title: '' }],
  expiresAt: '',
  startFrom: null,
  startUntil: null,
  deadlineAt: null,
}

/** A response of a stage. */
export const stageShape = {
  ...time,
  id: '',
  order: 0,
  status: '',
  title: '',
  deadlineAt: null,
  questions: [{ id: '', type: '', promptHtml: '', options: null, answer: null, revision: 0 }],
}

const answers = [{ outcome: '', answer: null, revision: 0 }]

/** The responses to answers, with and without the end of their stage. */
export const savedShape = { ...time, deadlineAt: null, answers }
export const outcomeShape = { ...time, status: '', answers }

/**
 * request runs a request, and takes the server's time from its response. A response without the fields of
 * the shape is not Assay's. `rows` is how many answers the request has.
 */
export async function request<R extends Response_>(
  shape: object,
  send: (api: API, signal: AbortSignal) => Promise<R>,
  rows?: number,
  timeout?: number,
): Promise<Outcome<Data<R>>> {
  const isOurs = (data: unknown) =>
    fits(data, shape) &&
    Date.parse((data as typeof time).serverTime) > 0 &&
    (rows === undefined || (data as typeof savedShape).answers.length === rows)
  const outcome = await call((signal) => send(api, signal), isOurs, timeout)
  if (outcome.kind === 'ok') observe((outcome.data as typeof time).serverTime, outcome.sent, outcome.received)
  return outcome
}
