// The role of a member, which can be changed in the row.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { notify } from '../core/notices.tsx'
import { needs, type Role } from '../core/roles.ts'
import { me } from '../core/me.ts'
import { messageOf } from '../core/states.tsx'
import { nameOfRole } from './role_name.ts'

type Member = Schemas['Member']

const roles: Role[] = ['OWNER', 'ADMIN', 'EDITOR', 'MEMBER', 'REVIEWER']

interface Props {
  member: Member
  /** Why the role cannot be changed. */
  reason: string | undefined
  change(role: Role): void
}

export function RoleSelect({ member, reason, change }: Props) {
  // A role without a choice is a text, which a screen reader reads with the row.
  if (reason) {
    return (
      <span class="members-role" title={reason}>
        {nameOfRole(member.role)}
        {!needs('ADMIN') && <span class="small muted">{reason}</span>}
      </span>
    )
  }
  return (
    <select
      class="field small members-select"
      aria-label={text('members.roleOf', { name: member.name })}
      value={member.role}
      onChange={({ currentTarget }) => {
        const role = currentTarget.value as Role
        currentTarget.value = member.role // until the server has changed it
        change(role)
      }}
    >
      {roles.map((role) => (
        <option key={role} value={role} disabled={role === 'OWNER' && needs('OWNER') !== undefined}>
          {nameOfRole(role)}
        </option>
      ))}
    </select>
  )
}

/** changeRole changes the role, and offers to undo it. A change ends the link of an invited person. */
export async function changeRole(member: Member, role: Role, reload: () => void, sendNew: () => void): Promise<void> {
  const { id, name, status, assessmentIds } = member
  // A REVIEWER needs assessments. The person keeps the present ones, also when a change is undone.
  const body = role === 'REVIEWER' ? { role, assessmentIds } : { role }
  const answer = await ask(v1.PATCH('/v1/members/{id}', { params: { path: { id } }, body }))
  reload()
  if (!answer.ok) return notify(messageOf(answer.fault))
  if (me.value?.id === id) me.value = { ...me.value, role }
  const message = text('members.role.changed', { name, role: nameOfRole(role) })
  if (status === 'INVITED') {
    return notify(`${message} ${text('members.role.linkEnded')}`, { label: text('members.renew'), act: sendNew })
  }
  // A person who has given up a role cannot take it back.
  if (me.value?.id === id) return notify(message)
  const before = member.role as Role
  notify(message, {
    label: text('members.undo'),
    act: () => void changeRole({ ...member, role }, before, reload, sendNew),
  })
}
