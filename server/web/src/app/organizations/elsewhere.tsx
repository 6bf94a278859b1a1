// What a tab shows when the browser is now signed in to another organization of the person.
import { useEffect, useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import type { Fault, Schemas } from '../core/api.ts'
import { me } from '../core/me.ts'
import { Action } from '../core/page.tsx'
import { base, elsewhere } from '../core/session.ts'
import { FaultNote } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import { to } from '../core/url.ts'
import { Sheet } from '../sign-in/sheet.tsx'
import styles from './organizations.css?text'
import { OwnSignIn } from './own_sign_in.tsx'
import { switchOrganization } from './switch.ts'

type Me = Schemas['Me']

export function Elsewhere() {
  addStyles(styles)
  const before = me.value!
  const [now, setNow] = useState<Me>()
  const [fault, setFault] = useState<Fault>()
  useEffect(() => void readMe().then((person) => (isSame(before, person) ? setNow(person) : location.reload())), [])
  if (!now) return null
  if (fault?.problem?.code === 'sso_required') {
    return (
      <Sheet title={text('organizations.own.title')}>
        <OwnSignIn membership={before} back={() => setFault(undefined)} />
      </Sheet>
    )
  }
  // A sign-in with the provider of an organization cannot switch.
  const canSwitch = now.signInMethod !== 'PROVIDER'
  const back = async () => setFault(await switchOrganization(before.organization.id, before.id))
  return (
    <Sheet
      title={text('organizations.elsewhere.title')}
      lead={rich('organizations.elsewhere.text', { organization: now.organization.name })}
    >
      <p>{rich('organizations.elsewhere.before', { organization: before.organization.name })}</p>
      {!canSwitch && <p class="sign-in-other">{text('organizations.elsewhere.company')}</p>}
      <div class="go">
        <Action kind="primary" act={() => location.assign(to('/'))}>
          {text('organizations.elsewhere.go')}
        </Action>
        {canSwitch && <Action act={() => void back()}>{text('organizations.elsewhere.back')}</Action>}
      </div>
      {fault && <FaultNote fault={fault} />}
    </Sheet>
  )
}

/** readMe reads the person with the new token, which no request of this tab uses. */
async function readMe(): Promise<Me | undefined> {
  try {
    const response = await fetch(new URL('v1/me', base), {
      cache: 'no-store',
      credentials: 'omit',
      headers: { Authorization: `Bearer ${elsewhere.value}` },
    })
    return response.ok ? ((await response.json()) as { data: Me }).data : undefined
  } catch {
    return undefined
  }
}

/** Another person gets the page as after a new sign-in. */
function isSame(before: Me, now: Me | undefined): now is Me {
  return now !== undefined && now.email === before.email
}
