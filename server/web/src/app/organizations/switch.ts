import { faultOf, type Fault } from '../core/api.ts'
import { switchTo } from '../core/session.ts'
import { owner, setOwner } from '../storage/storage.ts'

/**
 * switchOrganization opens another organization, and returns why it did not succeed. What the browser keeps for the present
 * membership stays until the sign-out.
 */
export async function switchOrganization(organizationId: string, membershipId: string): Promise<Fault | undefined> {
  const before = owner()
  if (before && !before.includes(membershipId)) setOwner(`${before} ${membershipId}`)
  try {
    const { response, body } = await switchTo(organizationId)
    if (response.ok) return undefined
    setOwner(before)
    return faultOf(response, body)
  } catch {
    return { status: 0 }
  }
}
