import { faultOf, type Answer } from '../core/api.ts'
import { signIn, type SessionRequest } from '../core/session.ts'

/** submit sends a request of /app/session as a form needs it. */
export async function submit(request: SessionRequest): Promise<Answer<undefined>> {
  try {
    const { response, body } = await signIn(request)
    if (response.ok) return { ok: true, data: undefined, response }
    return { ok: false, fault: faultOf(response, body) }
  } catch {
    return { ok: false, fault: { status: 0 } }
  }
}
