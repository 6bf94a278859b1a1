// What the role of the person permits. The server decides; the dashboard says why an action is disabled.
import { text } from '../../shared/i18n.tsx'
import { me } from './me.ts'

const ranks = { REVIEWER: 0, MEMBER: 1, EDITOR: 2, ADMIN: 3, OWNER: 4 } as const
export type Role = keyof typeof ranks

const reasons = {
  REVIEWER: 'role.needsAdmin', // the lowest role; a role of a later version is not known
  MEMBER: 'role.needsMember',
  EDITOR: 'role.needsEditor',
  ADMIN: 'role.needsAdmin',
  OWNER: 'role.needsOwner',
} as const

/** isReviewer reports whether the person only judges answers, without knowing whose they are. */
export const isReviewer = () => me.value?.role === 'REVIEWER'

/** seesAll reports whether the person sees all assessments, and therefore webhooks, deliveries, and members. */
export const seesAll = () => !me.value?.assessmentIds

/** needs returns why the person cannot do what requires the role, or undefined. */
export function needs(role: Role): string | undefined {
  const own = ranks[me.value?.role as Role] ?? 0
  if (own >= ranks[role]) return undefined
  return text(reasons[role])
}
