// The data about a person as files, to hand them over.
import { ask, faultOf, v1, type Answer, type Fault, type Schemas } from '../core/api.ts'
import { save } from '../core/download.ts'

type Found = Schemas['CandidateData']

/** allOf reads all pages of what the organization has about a person. */
export async function allOf(email: string): Promise<Answer<Found>> {
  const sessions: Found['sessions'] = []
  for (let after: string | null = null; ; ) {
    const answer: Answer<Found> = await ask(v1.POST('/v1/candidate-data', { body: { email, after } }))
    if (!answer.ok) return answer
    sessions.push(...answer.data.sessions)
    after = answer.data.next
    if (!after) return { ...answer, data: { ...answer.data, sessions } }
  }
}

export async function saveJson(email: string): Promise<Fault | undefined> {
  const answer = await allOf(email)
  if (!answer.ok) return answer.fault
  const { next: _, ...all } = answer.data
  save(new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' }), 'personal-data.json')
  return undefined
}

export async function savePage(email: string): Promise<Fault | undefined> {
  try {
    const { data, error, response } = await v1.POST('/v1/candidate-data/page', { body: { email }, parseAs: 'blob' })
    if (!response.ok || !response.headers.has('X-Request-Id') || !data) return faultOf(response, error)
    save(data, 'personal-data.html')
    return undefined
  } catch {
    return { status: 0 }
  }
}
