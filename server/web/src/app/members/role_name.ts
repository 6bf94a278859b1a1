// The names of the roles.
import { text } from '../../shared/i18n.tsx'
import { hasText } from '../core/faults.ts'

/** nameOfRole is the name of a role. The contract can have new roles. */
export function nameOfRole(role: string): string {
  const key = `members.role.${role}`
  return hasText(key) ? text(key) : role
}
