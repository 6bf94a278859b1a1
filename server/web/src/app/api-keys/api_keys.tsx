// The API keys of the organization.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { hasText } from '../core/faults.ts'
import { day as dayOf, utc, When } from '../core/formats.tsx'
import { notify } from '../core/notices.tsx'
import { Action, Page } from '../core/page.tsx'
import { forget, useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { Pager, Table } from '../core/table.tsx'
import { useAddress } from '../core/url.ts'
import { CreateKey } from './create.tsx'

type ApiKey = Schemas['ApiKey']

const day = 24 * 3_600_000

export default function Screen() {
  const { query, change } = useAddress()
  // A link of another screen can choose the scope of a new key.
  const [isCreating, setCreating] = useState(query.scope !== undefined)
  const [revoking, setRevoking] = useState<ApiKey>()
  const reason = needs('ADMIN')
  const { after } = query
  const keys = useQuery(reason ? undefined : `/v1/api-keys?after=${after ?? ''}`, () =>
    ask(v1.GET('/v1/api-keys', { params: { query: { limit: 50, ...(after && { after }) } } })),
  )
  const create = (
    <Action kind="primary" reason={reason} act={() => setCreating(true)}>
      {text('apiKeys.create')}
    </Action>
  )
  if (reason) {
    return (
      <Page title={text('apiKeys.title')} actions={create}>
        <Empty icon="key" title={text('apiKeys.role.title')}>
          <p>{text('apiKeys.role.text')}</p>
        </Empty>
      </Page>
    )
  }
  const isEmpty = keys.data?.length === 0 && !after
  return (
    <Page title={text('apiKeys.title')} actions={!isEmpty && create}>
      <p class="lead-in">{text('apiKeys.lead')}</p>
      <Loaded query={keys}>
        {(rows) =>
          isEmpty ? (
            <Empty icon="key" title={text('apiKeys.empty.title')} action={create}>
              <p>{text('apiKeys.empty.text')}</p>
            </Empty>
          ) : (
            <div class="list">
              <Keys rows={rows} revoke={setRevoking} />
              <Pager response={keys.response} count={rows.length} />
            </div>
          )
        }
      </Loaded>
      {isCreating && (
        <CreateKey
          scope={query.scope}
          close={() => {
            setCreating(false)
            change({ scope: undefined }, true)
            keys.reload()
          }}
        />
      )}
      {revoking && <Revoke apiKey={revoking} close={() => setRevoking(undefined)} done={keys.reload} />}
    </Page>
  )
}

function Keys({ rows, revoke }: { rows: ApiKey[]; revoke(key: ApiKey): void }) {
  return (
    <Table
      caption={text('apiKeys.title')}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'name',
          label: text('apiKeys.column.name'),
          cell: (key) => (
            <>
              <b class="api-keys-name" translate={false}>{key.name}</b> <State apiKey={key} />
              <span class="small muted">
                <code>
                  {key.prefix}…{key.last4}
                </code>
              </span>
            </>
          ),
        },
        {
          id: 'scopes',
          label: text('apiKeys.column.scopes'),
          cell: ({ scopes }) => scopes.map((scope) => <span key={scope} class="api-keys-scope">{scopeName(scope)}</span>),
          isMinor: true,
        },
        {
          id: 'used',
          label: text('apiKeys.column.used'),
          cell: ({ lastUsedAt }) =>
            lastUsedAt ? <When at={lastUsedAt} isRelative /> : <span class="muted">{text('apiKeys.unused')}</span>,
          isMinor: true,
        },
        {
          id: 'expires',
          label: text('apiKeys.column.expires'),
          cell: ({ expiresAt }) =>
            expiresAt ? <time dateTime={expiresAt} title={utc(expiresAt)}>{dayOf(expiresAt)}</time> : <span class="muted">{text('apiKeys.noExpiry')}</span>,
          isMinor: true,
        },
        { id: 'created', label: text('apiKeys.column.created'), cell: ({ createdAt }) => <When at={createdAt} />, isMinor: true },
        {
          id: 'revoke',
          label: text('apiKeys.column.actions'),
          cell: (key) =>
            key.revokedAt ? (
              <span class="small muted">{rich('apiKeys.revokedAt', { time: <When at={key.revokedAt} isRelative /> })}</span>
            ) : (
              <Action isSmall label={text('apiKeys.revoke.label', { name: key.name })} act={() => revoke(key)}>
                {text('apiKeys.revoke')}
              </Action>
            ),
        },
      ]}
    />
  )
}

/** scopeName says what a scope permits. The contract can have new scopes. */
function scopeName(scope: string): string {
  const key = `apiKeys.scope.${scope}`
  return hasText(key) ? text(key) : scope
}

function State({ apiKey: { revokedAt, expiresAt } }: { apiKey: ApiKey }) {
  if (revokedAt) return <span class="tag">{text('apiKeys.state.revoked')}</span>
  if (!expiresAt) return null
  const left = Date.parse(expiresAt) - Date.now()
  if (left <= 0) return <span class="tag bad">{text('apiKeys.state.expired')}</span>
  return left < 14 * day ? <span class="tag warn">{text('apiKeys.state.expiring')}</span> : null
}

function Revoke({ apiKey, close, done }: { apiKey: ApiKey; close(): void; done(): void }) {
  const { id, name, prefix, last4, lastUsedAt } = apiKey
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/api-keys/{id}', { params: { path: { id } } }))
    if (!answer.ok) return answer.fault
    forget('/v1/api-keys')
    notify(text('apiKeys.revoked', { name }))
    done()
    return undefined
  }
  const isUsed = lastUsedAt !== null && Date.now() - Date.parse(lastUsedAt) < day
  return (
    <Confirm title={text('apiKeys.revoke.title', { name })} label={text('apiKeys.revoke')} isDanger act={act} close={close}>
      <p>
        <code>
          {prefix}…{last4}
        </code>
      </p>
      <p>{text('apiKeys.revoke.text')}</p>
      {isUsed && (
        <div class="note warn">
          <p>{rich('apiKeys.revoke.used', { time: <When at={lastUsedAt} isRelative /> })}</p>
        </div>
      )}
    </Confirm>
  )
}
