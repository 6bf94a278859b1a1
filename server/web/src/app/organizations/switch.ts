import { faultOf, type Answer, type Fault } from '../core/api.ts'
import { base, otherTabs, send, setLeaving, type SessionRequest } from '../core/session.ts'
import { owner, setOwner } from '../storage/storage.ts'

/** switchOrganization opens another organization, and returns why it did not succeed. */
export async function switchOrganization(organizationId: string, membershipId: string): Promise<Fault | undefined> {
  const answer = await enter({ type: 'switch', organizationId }, membershipId)
  return answer.ok ? undefined : answer.fault
}

/** enter signs in to another membership of the person, and opens its home screen. */
export async function enter(request: SessionRequest, membershipId: string): Promise<Answer<undefined>> {
  const before = keepFor(membershipId)
  const fail = (fault: Fault): Answer<undefined> => {
    setOwner(before)
    setLeaving(false)
    return { ok: false, fault }
  }
  setLeaving(true)
  try {
    const { response, body } = await send('POST', request)
    if (!response.ok) return fail(faultOf(response, body))
    otherTabs('in')
    location.assign(new URL('app', base))
    return { ok: true, data: undefined, response }
  } catch {
    return fail({ status: 0 })
  }
}

/**
 * keepFor makes what the browser keeps for the present membership stay until the sign-out, also after a sign-in with
 * the other one. It returns the memberships before.
 */
export function keepFor(membershipId: string): string | undefined {
  const before = owner()
  if (before && !before.includes(membershipId)) setOwner(`${before} ${membershipId}`)
  return before
}
