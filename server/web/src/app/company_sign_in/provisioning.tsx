// The address and the keys with which an identity provider manages members.
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import { ActionLink } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { Value } from './value.tsx'

export function Provisioning({ baseUrl }: { baseUrl: string }) {
  const query = { limit: 100 }
  const keys = useQuery('/v1/api-keys?provisioning', () => ask(v1.GET('/v1/api-keys', { params: { query } })))
  return (
    <>
      <Value label={text('companySignIn.scim.address')} value={baseUrl} />
      <Loaded query={keys}>
        {(all) => {
          const own = all.filter(({ scopes, revokedAt }) => !revokedAt && scopes.includes('members:provision'))
          return own.length === 0 ? (
            <p class="hint">{text('companySignIn.scim.none')}</p>
          ) : (
            <ul class="company-sign-in-list">
              {own.map(({ id, name, lastUsedAt, expiresAt }) => (
                <li key={id}>
                  <b translate={false}>{name}</b>{' '}
                  {expiresAt && Date.parse(expiresAt) <= Date.now() && (
                    <span class="tag bad">{text('companySignIn.scim.expired')}</span>
                  )}
                  <p class="small muted">
                    {lastUsedAt ? (
                      <>
                        {text('companySignIn.scim.lastUsed')} <When at={lastUsedAt} />
                      </>
                    ) : (
                      text('companySignIn.scim.unused')
                    )}
                  </p>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      <ActionLink isSmall href={to('/api-keys', { scope: 'members:provision' })}>
        {text('companySignIn.scim.create')}
      </ActionLink>
    </>
  )
}
