// Requests of a person who is not signed in yet.
import { faultOf, type Answer } from '../core/api.ts'
import { base } from '../core/session.ts'

/** postOpen sends a request of /v1 without an access token. */
export async function postOpen<T>(path: string, body: object): Promise<Answer<T>> {
  try {
    const response = await fetch(new URL('.' + path, base), {
      method: 'POST',
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const content = (await response.json().catch(() => undefined)) as { data: T } | undefined
    if (response.ok && content) return { ok: true, data: content.data, response }
    return { ok: false, fault: faultOf(response, content) }
  } catch {
    return { ok: false, fault: { status: 0 } }
  }
}
