import { faultOf, type Answer, type Fault } from '../core/api.ts'
import { signIn, type SessionRequest } from '../core/session.ts'

/** submit sends a request of /app/session as a form needs it. */
export async function submit(request: SessionRequest, key?: string): Promise<Answer<undefined>> {
  try {
    const { response, body } = await signIn(request, key)
    if (response.ok) return { ok: true, data: undefined, response }
    return { ok: false, fault: faultOf(response, body) }
  } catch {
    return { ok: false, fault: { status: 0 } }
  }
}

/** atField shows a refusal at a field of the form. */
export function atField(fault: Fault, pointer: string, code: string, detail: string): Fault {
  if (!fault.problem) return fault
  return { ...fault, problem: { ...fault.problem, errors: [{ in: 'body', pointer, code, detail }] } }
}
