// What a network can answer instead of Assay, or do to Assay's answer.
import type { Fate } from './page.ts'
import type { Reply } from './model.ts'

/** A fault. Those with `pass` let the request reach the server. */
export type Fault = (pass: () => Reply) => Fate

type Headers_ = Record<string, string>

const reply = (status: number, body: string, type = 'application/json', headers: Headers_ = {}): Reply => ({
  ...{ status, body, type, headers },
})
const html = (status: number, headers: Record<string, string> = {}) => () =>
  reply(status, `<!doctype html><title>${status}</title><h1>Please sign in</h1>`, 'text/html', headers)
const json = (status: number, body: unknown, type?: string) => () => reply(status, JSON.stringify(body), type)
const text = (status: number, body: string) => () => reply(status, body)
const document = (status: number, changed: object = {}) => ({
  type: 'https://assay.example/errors/session_not_in_progress',
  title: 'Conflict',
  status,
  detail: 'The session is not in progress.',
  code: 'session_not_in_progress',
  requestId: 'req_2',
  resourceId: null,
  errors: [],
  ...changed,
})
const problemType = 'application/problem+json'

/** changed lets the request pass, and changes the data of its response. */
const changed = (change: (data: Record<string, unknown>) => unknown): Fault => (pass) => {
  const made = pass()
  if (made.status !== 200) return made
  const { data } = JSON.parse(made.body) as { data: Record<string, unknown> }
  return { ...made, body: JSON.stringify({ data: change(data) }) }
}

export const faults: Record<string, Fault> = {
  'no connection': () => 'lost',
  'no answer': () => 'silence',
  'a lost response': (pass) => (pass(), 'lost'),
  'a response that never ends': (pass) => (pass(), 'silence'),
  '204': text(204, ''),
  '205': text(205, ''),
  '202': text(202, ''),
  '200 without content': text(200, ''),
  '200 {}': text(200, '{}'),
  '200 null': text(200, 'null'),
  '200 true': text(200, 'true'),
  '200 text': text(200, 'OK'),
  '200 []': text(200, '[]'),
  '200 data null': text(200, '{"data":null}'),
  '200 data {}': text(200, '{"data":{}}'),
  '200 data []': text(200, '{"data":[]}'),
  '200 data text': text(200, '{"data":"ok"}'),
  '200 login required': text(200, '{"error":"login required"}'),
  '200 HTML': html(200),
  '200 only the time': json(200, { data: { serverTime: '2026-11-20T10:00:00.000Z' } }),
  '201 {}': text(201, '{}'),
  'half a response': (pass) => ((made) => ({ ...made, body: made.body.slice(0, made.body.length / 2) }))(pass()),
  'a response without its time': changed(({ serverTime: _, ...rest }) => rest),
  'a response whose time is none': changed((data) => ({ ...data, serverTime: 'soon' })),
  'a response whose lists are null': changed((data) => ({ ...data, answers: null, questions: null, stages: null })),
  'a response of another operation': changed(({ serverTime }) => ({ serverTime, id: 'usr_1', name: 'Mei' })),
  'a response to other answers': changed((data) => ({ ...data, answers: [{ outcome: 'SAVED', revision: 9 }, {}] })),
  '302 to a login page': () => reply(302, '', 'text/html', { Location: 'https://login.example/' }),
  '307 to HTTPS': () => reply(307, '', 'text/html', { Location: 'https://assay.test/' }),
  '304': text(304, ''),
  '400 HTML': html(400),
  '401 HTML': html(401),
  '401 without content': text(401, ''),
  '401 a problem of a gateway': json(401, { type: 'about:blank', title: 'Unauthorized', status: 401 }, problemType),
  '403 HTML': html(403),
  '403 JSON': json(403, { error: 'blocked' }),
  '403 code only': json(403, { code: 'forbidden' }, problemType),
  '404 HTML': html(404),
  '404 JSON': json(404, { message: 'no Route matched' }),
  '405 HTML': html(405),
  '407 HTML': html(407),
  '409 not a problem type': json(409, document(409)),
  '409 another status in it': json(409, document(403), problemType),
  '409 without detail': json(409, document(409, { detail: undefined }), problemType),
  '410 HTML': html(410),
  '413 HTML': html(413),
  '418 HTML': html(418),
  '429 HTML': html(429),
  '429 of Assay': () => reply(429, JSON.stringify(document(429)), problemType, { 'Retry-After': '2' }),
  '451 HTML': html(451),
  '500 HTML': html(500),
  '500 of Assay': json(500, document(500), problemType),
  '502 HTML': html(502),
  '503 of Assay': () => reply(503, JSON.stringify(document(503)), problemType, { 'Retry-After': '1' }),
  '503 a date to retry': html(503, { 'Retry-After': 'Fri, 20 Nov 2026 10:00:00 GMT' }),
  '503 a time below zero': html(503, { 'Retry-After': '-5' }),
  '504 HTML': html(504),
  '511 HTML': html(511),
}
