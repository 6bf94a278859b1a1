// The names of the roles.
import { text } from '../../shared/i18n.tsx'
import { hasText } from '../core/faults.ts'

/** The roles of people who can be limited to assessments. A REVIEWER always is. */
export type LimitedRole = 'MEMBER' | 'REVIEWER'

export const canBeLimited = (role: string): role is LimitedRole => role === 'MEMBER' || role === 'REVIEWER'

/** nameOfRole is the name of a role. The contract can have new roles. */
export function nameOfRole(role: string): string {
  const key = `members.role.${role}`
  return hasText(key) ? text(key) : role
}
