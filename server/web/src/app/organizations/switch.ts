import { faultOf, type Fault } from '../core/api.ts'
import { base, otherTabs, send, setLeaving } from '../core/session.ts'
import { owner, setOwner } from '../storage/storage.ts'

/**
 * switchOrganization opens another organization, and returns why it did not succeed. What the browser keeps for the present
 * membership stays until the sign-out.
 */
export async function switchOrganization(organizationId: string, membershipId: string): Promise<Fault | undefined> {
  const before = owner()
  if (before && !before.includes(membershipId)) setOwner(`${before} ${membershipId}`)
  setLeaving(true)
  try {
    const { response, body } = await send('POST', { type: 'switch', organizationId })
    if (response.ok) {
      otherTabs('in')
      location.assign(new URL('app', base))
      return undefined
    }
    setOwner(before)
    setLeaving(false)
    return faultOf(response, body)
  } catch {
    setLeaving(false)
    return { status: 0 }
  }
}
