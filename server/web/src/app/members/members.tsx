// The people of the organization, and their roles.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { ConfirmEmail } from '../confirmation/lazy.ts'
import { day, dayAndTime, utc } from '../core/formats.tsx'
import { Menu } from '../core/menu.tsx'
import { Action, Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs, type Role } from '../core/roles.ts'
import { me } from '../core/me.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { Pager, Table, type Column } from '../core/table.tsx'
import { useAddress } from '../core/url.ts'
import { InviteDialog, LinkDialog, RemoveDialog, renew, type Invited } from './dialogs.tsx'
import { AccessDialog, Permissions } from './lazy.ts'
import { changeRole, RoleSelect } from './role.tsx'
import { canBeLimited, nameOfRole, type LimitedRole } from './role_name.ts'

type Member = Schemas['Member']

/** How many members a page has. It is the most that the contract permits. */
const limit = 100

export default function Screen() {
  const { query: parameters, change } = useAddress()
  const { after } = parameters
  const query = useQuery(`/v1/members?${after ?? ''}`, () =>
    ask(v1.GET('/v1/members', { params: { query: { limit, ...(after && { after }) } } })),
  )
  const [invited, setInvited] = useState<Invited>()
  const [removing, setRemoving] = useState<Member>()
  const [limiting, setLimiting] = useState<Limiting>()
  const reason = needs('ADMIN')
  const close = () => change({ dialog: undefined }, true)
  const invite = (
    <Action kind="primary" reason={reason} act={() => change({ dialog: 'invite' })}>
      {text('members.invite')}
    </Action>
  )
  return (
    <Page title={text('members.title')} actions={invite}>
      {me.value?.mustConfirmEmail && <ConfirmEmail />}
      {reason && <p class="lead-in">{text('members.readOnly')}</p>}
      <div class="list members-list">
        <Loaded query={query}>
          {(members) => (
            <>
              <Table
                caption={text('members.title')}
                rows={members}
                keyOf={({ id }) => id}
                columns={columns({ members, reload: query.reload, show: setInvited, remove: setRemoving, limit: setLimiting })}
              />
              <Pager response={query.response} count={members.length} />
              {members.length === 1 && !after && (
                <Empty icon="members" title={text('members.alone.title')} action={invite}>
                  <p>{text('members.alone.text')}</p>
                </Empty>
              )}
            </>
          )}
        </Loaded>
      </div>
      <Roles />
      {parameters.dialog === 'invite' && !reason && !invited && (
        <InviteDialog
          close={close}
          done={(member) => {
            setInvited(member)
            close()
            query.reload()
          }}
        />
      )}
      {invited && <LinkDialog invited={invited} close={() => setInvited(undefined)} />}
      {limiting && (
        <AccessDialog {...limiting} close={() => setLimiting(undefined)} done={query.reload} />
      )}
      {removing && <RemoveDialog member={removing} close={() => setRemoving(undefined)} done={query.reload} />}
    </Page>
  )
}

/** A person whose assessments are chosen, for the present role or another one. */
interface Limiting {
  member: Member
  role: LimitedRole
}

interface Context {
  members: Member[]
  reload(): void
  show(invited: Invited): void
  remove(member: Member): void
  limit(limiting: Limiting): void
}

function columns(context: Context): Column<Member>[] {
  // Nobody needs the word in an organization that has no second factors.
  const isSecondFactorUsed =
    me.value!.organization.secondFactorRequired || context.members.some(({ hasSecondFactor }) => hasSecondFactor)
  const sendNew = (member: Member) => void renew(member, context.show).then(context.reload)
  return [
    { id: 'name', label: text('members.name'), cell: (member) => <Person member={member} /> },
    {
      id: 'role',
      label: text('members.role'),
      cell: (member) => (
        <>
          <RoleSelect
            member={member}
            reason={whyFixed(member, context.members)}
            change={(role) => {
              if (role === 'REVIEWER' && !member.assessmentIds) context.limit({ member, role })
              else void changeRole(member, role, context.reload, () => sendNew(member))
            }}
          />
          {canBeLimited(member.role) && <Access member={member} role={member.role} limit={context.limit} />}
        </>
      ),
    },
    {
      id: 'status',
      label: text('members.status'),
      cell: (member) => (
        <>
          <Status member={member} />
          {isSecondFactorUsed && member.status === 'ACTIVE' && !member.hasSecondFactor && (
            <span class="small muted">{text('members.noSecondFactor')}</span>
          )}
        </>
      ),
    },
    { id: 'since', label: text('members.since'), isMinor: true, cell: ({ createdAt }) => <Since at={createdAt} /> },
    {
      id: 'actions',
      label: text('members.actions'),
      isLabelUnseen: true,
      isNumber: true,
      cell: (member) => (
        <div class="members-actions">
          <Menu
            isFloating
            isSmall
            label={text('members.more', { name: member.name })}
            items={[
              ...(member.status === 'INVITED'
                ? [{ label: text('members.renew'), act: () => sendNew(member), reason: whyNot(member) }]
                : []),
              {
                label: text(isOwn(member) ? 'members.leave' : 'members.remove'),
                act: () => context.remove(member),
                reason: whyFixed(member, context.members),
                isDanger: true,
              },
            ]}
          />
        </div>
      ),
    },
  ]
}

/** Access says what a member sees, and opens the dialog that changes it. */
function Access({ member, role, limit }: Limiting & { limit(limiting: Limiting): void }) {
  const { name, assessmentIds } = member
  const what = assessmentIds
    ? text('members.access.shown', { count: assessmentIds.length })
    : text('members.access.all')
  if (whyNot(member)) return <span class="small muted members-sees">{what}</span>
  return (
    <button
      type="button"
      class="link-button small members-sees"
      aria-label={text('members.access.of', { name, what })}
      onClick={() => limit({ member, role })}
    >
      {what}
    </button>
  )
}

const isOwn = ({ id }: Member) => id === me.value?.id

/** whyNot returns why the person's own role does not permit to change a member. */
function whyNot(member: Member): string | undefined {
  return needs('ADMIN') ?? (member.role === 'OWNER' ? needs('OWNER') : undefined)
}

/** whyFixed returns why a member's role cannot be changed and the member cannot be removed. */
function whyFixed(member: Member, members: Member[]): string | undefined {
  const owners = members.filter(({ role, status }) => role === 'OWNER' && status === 'ACTIVE')
  // Owners can also be on another page of the list. Then the server refuses the change.
  const isLast = owners.length === 1 && owners[0]!.id === member.id && members.length < limit
  return whyNot(member) ?? (isLast ? text('members.lastOwner') : undefined)
}

function Person({ member }: { member: Member }) {
  return (
    <div class="members-person">
      <span class="members-initial" aria-hidden="true" translate={false}>
        {[...member.name.trim()][0]?.toUpperCase()}
      </span>
      <div>
        <b translate={false}>{member.name}</b> {isOwn(member) && <span class="tag">{text('members.you')}</span>}
        <span class="small muted">{member.email}</span>
      </div>
    </div>
  )
}

function Since({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${dayAndTime(at)} (${utc(at)})`}>
      {day(at)}
    </time>
  )
}

function Status({ member: { status, invitationExpiresAt } }: { member: Member }) {
  if (status === 'ACTIVE') return <span class="tag good">{text('members.status.ACTIVE')}</span>
  if (status === 'DEACTIVATED') return <span class="tag">{text('members.status.DEACTIVATED')}</span>
  if (status !== 'INVITED') return <span class="tag">{status}</span>
  if (!invitationExpiresAt || new Date(invitationExpiresAt) < new Date()) {
    return (
      <>
        <span class="tag warn">{text('members.status.expired')}</span>
        <span class="small muted">{text('members.status.expired.text')}</span>
      </>
    )
  }
  return (
    <>
      <span class="tag info">{text('members.status.INVITED')}</span>
      <span class="small muted">{text('members.status.until', { day: day(invitationExpiresAt) })}</span>
    </>
  )
}

const roles: Role[] = ['REVIEWER', 'MEMBER', 'EDITOR', 'ADMIN', 'OWNER']

function Roles() {
  return (
    <section class="card" aria-labelledby="members-roles">
      <h2 id="members-roles">{text('members.roles')}</h2>
      <dl class="facts-list members-roles">
        {roles.map((role) => (
          <>
            <dt>{nameOfRole(role)}</dt>
            <dd>
              {text(`members.role.${role}.text`)}
              <Permissions role={role} />
            </dd>
          </>
        ))}
      </dl>
      <p class="small muted">{text('members.lastOwner.rule')}</p>
    </section>
  )
}
