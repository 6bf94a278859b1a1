// What an organization does before and while a candidate works: through the API, with the types of the contract.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from '../../src/shared/openapi.gen.ts'
import { sharedServer } from './server.ts'

export type Schemas = components['schemas']
export type Assay = Client<paths>
export type Assessment = Schemas['AssessmentCreate']

type Answer<T> = { data?: { data: T } | undefined; error?: unknown; response: Response }

/** The data of a response. Throws if the request was refused. */
export async function ok<T>(request: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await request
  if (!response.ok) throw new Error(`${response.status} ${response.url}: ${JSON.stringify(error)}`)
  return data?.data as T
}

export type Invite = {
  /** The candidate's link, as in the email. */
  link: string
  token: string
  sessionId: string
  candidateName: string
  /** The API with the candidate's token. */
  candidate: Assay
}

export type Organization = {
  name: string
  /** The address of the server. */
  baseUrl: string
  /** The person who registered it. */
  owner: { name: string; email: string; password: string }
  /** The API with the token of the owner. */
  api: Assay
  settings(change: Schemas['OrganizationUpdate']): Promise<void>
  /** Creates and publishes an assessment, and returns its id. */
  publish(assessment: Assessment): Promise<string>
  invite(assessmentId: string, more?: Partial<Schemas['CandidateSessionCreate']>): Promise<Invite>
  session(sessionId: string): Promise<Schemas['CandidateSession']>
}

/** Registers an organization, on the shared server unless another address is given. */
export async function organization(
  settings: Schemas['OrganizationUpdate'] = {},
  baseUrl: string = sharedServer(),
): Promise<Organization> {
  const name = settings.name ?? 'Harbour Kitchens'
  const owner = {
    name: 'Samin Okafor',
    email: `${randomUUID()}@harbour-kitchens.example`,
    password: 'copper lantern over the quay',
  }
  const registered = await ok(
    createClient<paths>({ baseUrl }).POST('/v1/auth/register', { body: { organizationName: name, ...owner } }),
  )
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${registered.accessToken}` } })
  const made: Organization = {
    name,
    baseUrl,
    owner,
    api,
    async settings(change) {
      await ok(api.PATCH('/v1/organization', { body: change }))
    },
    async publish(assessment) {
      const { id } = await ok(api.POST('/v1/assessments', { body: assessment }))
      await ok(api.POST('/v1/assessments/{id}/publish', { params: { path: { id } } }))
      return id
    },
    async invite(assessmentId, more = {}) {
      const candidateName = more.candidateName ?? 'Mei Lindqvist'
      const body = { candidateName, candidateEmail: `${randomUUID()}@candidate.example`, ...more, assessmentId }
      const session = await ok(api.POST('/v1/candidate-sessions', { body }))
      const link = session.inviteUrl
      if (!link) throw new Error('the session has no link')
      const token = new URL(link).hash.slice(1)
      return { link, token, sessionId: session.id, candidateName, candidate: asCandidate(token, baseUrl) }
    },
    session: (id) => ok(api.GET('/v1/candidate-sessions/{id}', { params: { path: { id } } })),
  }
  if (Object.keys(settings).length > 0) await made.settings(settings)
  return made
}

/** The API with the token of a candidate. */
export function asCandidate(token: string, baseUrl: string = sharedServer()): Assay {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } })
}

/** Registers an organization, publishes the assessment, and invites one candidate. */
export async function invited(
  assessment: Assessment,
  more: { settings?: Schemas['OrganizationUpdate']; invite?: Partial<Schemas['CandidateSessionCreate']> } = {},
): Promise<Invite & { organization: Organization; assessmentId: string }> {
  const made = await organization(more.settings)
  const assessmentId = await made.publish(assessment)
  return { ...(await made.invite(assessmentId, more.invite)), organization: made, assessmentId }
}

/** Decides about the gate that a session waits at. */
export async function rule(
  { sessionId, organization: { api } }: { sessionId: string; organization: Pick<Organization, 'api'> },
  decision: 'PASS' | 'STOP',
): Promise<void> {
  const params = { path: { id: sessionId } }
  const { stageId } = await ok(api.GET('/v1/candidate-sessions/{id}/open-decision', { params }))
  const body = { stageId: stageId!, decision, reason: 'A test' }
  await ok(api.POST('/v1/candidate-sessions/{id}/rulings', { params, body }))
}

/** The answers on the server to the questions of the current stage, in their order. */
export async function savedAnswers({ candidate }: Pick<Invite, 'candidate'>): Promise<(Schemas['Answer'] | null)[]> {
  const stage = await ok(candidate.GET('/v1/candidate/session/stage'))
  return stage.questions.map(({ answer }) => answer)
}

/** Asks again until the answer fits, and fails after ten seconds. The service limits how often one person can ask. */
export async function eventually<T>(
  ask: () => Promise<T>,
  fits: (value: T) => boolean,
  timeout = 10_000,
  pause = 50,
): Promise<T> {
  for (const until = Date.now() + timeout; ; await sleep(pause)) {
    const value = await ask()
    if (fits(value)) return value
    if (Date.now() > until) throw new Error(`still ${JSON.stringify(value)} after ${timeout / 1000} seconds`)
  }
}
