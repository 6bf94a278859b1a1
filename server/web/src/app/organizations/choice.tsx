// The organizations of the person, and the change to another one.
import { render } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, cursorOf, v1, type Answer, type Fault, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { hasText } from '../core/faults.ts'
import { Icon } from '../core/icons.tsx'
import { useQuery } from '../core/query.ts'
import { FaultNote, Loaded } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import styles from './organizations.css?text'
import { OwnSignIn } from './own_sign_in.tsx'
import { switchOrganization } from './switch.ts'

type Membership = Schemas['Membership']

export function openChoice(): void {
  addStyles(styles)
  const host = document.body.appendChild(document.createElement('div'))
  const close = () => {
    render(null, host)
    host.remove()
  }
  render(<Choice close={close} />, host)
}

/** readAll reads each page, because a choice that lacks an organization would be useless. */
async function readAll(): Promise<Answer<Membership[]>> {
  const all: Membership[] = []
  for (let after: string | undefined; ; ) {
    const query = { limit: 100, ...(after && { after }) }
    const answer = await ask(v1.GET('/v1/me/memberships', { params: { query } }))
    if (!answer.ok) return answer
    all.push(...answer.data)
    after = cursorOf(answer.response)
    if (!after) return { ...answer, data: all }
  }
}

function Choice({ close }: { close(): void }) {
  const query = useQuery('/v1/me/memberships', readAll)
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  /** The organization that requires its own sign-in. */
  const [requiring, setRequiring] = useState<Membership>()
  const choose = async (membership: Membership) => {
    if (isBusy) return
    setBusy(true)
    const failed = await switchOrganization(membership.organization.id, membership.id)
    if (failed?.problem?.code === 'sso_required') setRequiring(membership)
    else setFault(failed)
    if (failed) setBusy(false) // otherwise the browser leaves the page
  }
  if (requiring) {
    return (
      <Dialog key={requiring.id} title={text('organizations.own.title')} close={close}>
        <OwnSignIn membership={requiring} back={() => setRequiring(undefined)} />
      </Dialog>
    )
  }
  return (
    <Dialog key="choice" title={text('organizations.title')} close={close}>
      {fault && <FaultNote fault={fault} />}
      <Loaded query={query}>
        {(memberships) => (
          <ul class="organizations">
            {memberships.map((membership) => (
              <li key={membership.id}>
                <Row membership={membership} isBusy={isBusy} choose={() => void choose(membership)} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}

function Row({ membership, isBusy, choose }: { membership: Membership; isBusy: boolean; choose(): void }) {
  const { organization, role, current } = membership
  const key = `organizations.role.${role}`
  return (
    <button type="button" aria-current={current} aria-disabled={current || isBusy} onClick={() => !current && choose()}>
      <span>
        <b translate={false}>{organization.name}</b>
        <span class="small muted">{hasText(key) ? text(key) : role}</span>
      </span>
      {current ? <span class="tag good">{text('organizations.current')}</span> : <Icon name="right" />}
    </button>
  )
}
