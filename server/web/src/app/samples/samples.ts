// Complete assessments to start from. Each is a file that is loaded when it is chosen.
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { forget } from '../core/query.ts'
import bookkeeper from './bookkeeper.json?url'
import support from './support.json?url'
import warehouse from './warehouse.json?url'

export interface Sample {
  id: 'bookkeeper' | 'support' | 'warehouse'
  questionCount: number
  minutes: number
  address: string
}

/** A test compares these figures with the files. */
export const samples: Sample[] = [
  { id: 'support', questionCount: 14, minutes: 30, address: support },
  { id: 'bookkeeper', questionCount: 15, minutes: 35, address: bookkeeper },
  { id: 'warehouse', questionCount: 15, minutes: 25, address: warehouse },
]

/** createFromSample creates a draft with the content of a sample. */
export async function createFromSample(sample: Sample, key: string): Promise<Answer<Schemas['AssessmentDetail']>> {
  let body: Schemas['AssessmentCreate']
  try {
    const response = await fetch(new URL(sample.address, import.meta.url))
    if (!response.ok) throw new Error(String(response.status))
    body = (await response.json()) as Schemas['AssessmentCreate']
  } catch {
    return { ok: false, fault: { status: 0 } } // no connection, or the server has a new version
  }
  const answer = await ask(v1.POST('/v1/assessments', { params: { header: { 'Idempotency-Key': key } }, body: { ...body, repeatRule: 'ASK' } }))
  if (answer.ok) forget('/v1/')
  return answer
}
