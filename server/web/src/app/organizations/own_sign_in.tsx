// Enters an organization that requires its own sign-in: at its provider, or as an OWNER with a recovery code.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { startAt } from '../company/start.ts'
import type { Schemas } from '../core/api.ts'
import { lazy } from '../core/lazy.ts'
import { me } from '../core/me.ts'
import { to } from '../core/url.ts'
import { enter, keepFor } from './switch.ts'

const OwnerForm = lazy(async () => (await import('../second_factor/entry.ts')).ownerForm())

interface Props {
  membership: Pick<Schemas['Membership'], 'id' | 'organization' | 'role'>
  back(): void
}

export function OwnSignIn({ membership: { id, organization, role }, back }: Props) {
  const [isOwner, setOwner] = useState(false)
  const [note, setNote] = useState<string>()
  const start = startAt(`sign-in/provider/start?organization=${organization.id}`, to('/'))
  return (
    <>
      {note && <p class="note warn">{note}</p>}
      {isOwner ? (
        <OwnerForm
          email={me.value!.email}
          organizationId={organization.id}
          send={(request) => enter(request, id)}
          back={(why) => {
            setNote(why)
            setOwner(false)
          }}
        />
      ) : (
        <>
          <p>{rich('organizations.own.text', { organization: organization.name })}</p>
          <div class="go">
            <a class="button primary" href={start} onClick={() => void keepFor(id)}>
              {text('organizations.own.go')}
            </a>
          </div>
          {role === 'OWNER' && (
            <p class="organizations-other">
              <button type="button" class="link-button" onClick={() => setOwner(true)}>
                {text('organizations.own.code')}
              </button>
            </p>
          )}
        </>
      )}
      <p class="organizations-other">
        <button type="button" class="link-button" onClick={back}>
          {text('organizations.own.back')}
        </button>
      </p>
    </>
  )
}
