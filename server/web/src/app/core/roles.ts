// What the role of the person permits. The server decides; the dashboard says why an action is disabled.
import { text } from '../../shared/i18n.tsx'
import { me } from './session.ts'

const ranks = { MEMBER: 0, ADMIN: 1, OWNER: 2 } as const
export type Role = keyof typeof ranks

/** needs returns why the person cannot do what requires the role, or undefined. */
export function needs(role: Role): string | undefined {
  const own = ranks[me.value?.role as Role] ?? 0
  if (own >= ranks[role]) return undefined
  return role === 'OWNER' ? text('role.needsOwner') : text('role.needsAdmin')
}
