// The last requests of an applicant tracking system and callbacks to it, for looking for a fault.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { When } from '../core/formats.tsx'
import { useQuery } from '../core/query.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { Table } from '../core/table.tsx'
import { to } from '../core/url.ts'
import { names, type Integration, type Partner } from './partners.ts'

type Exchange = Schemas['IntegrationExchange']

export function ExchangesDialog({ integration: { id, partner }, close }: { integration: Integration; close(): void }) {
  const name = names[partner as Partner]
  const query = useQuery(
    `/v1/integrations/${id}/exchanges`,
    () => ask(v1.GET('/v1/integrations/{id}/exchanges', { params: { path: { id } } })),
    { every: 5000 },
  )
  return (
    <Dialog kind="wide" title={text('integrations.exchanges.title', { name })} close={close}>
      <p class="small muted">{text('integrations.exchanges.text')}</p>
      <Loaded query={query}>
        {(exchanges) =>
          exchanges.length > 0 ? (
            <Table
              caption={text('integrations.exchanges')}
              rows={exchanges}
              keyOf={(exchange) => exchange.id}
              columns={[
                {
                  id: 'at',
                  label: text('integrations.column.at'),
                  cell: ({ createdAt }) => <When at={createdAt} isRelative />,
                },
                {
                  id: 'what',
                  label: text('integrations.column.what'),
                  cell: (exchange) => <What exchange={exchange} name={name} />,
                },
              ]}
            />
          ) : (
            <Empty icon="events" title={text('integrations.exchanges.none')}>
              <p>{text('integrations.exchanges.none.text', { name })}</p>
            </Empty>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function What({ exchange, name }: { exchange: Exchange; name: string }) {
  const { direction, method, address, status, sessionId, problem } = exchange
  return (
    <>
      <span class="small muted">
        {text(direction === 'SENT' ? 'integrations.sent' : 'integrations.received', { name })}
        {status !== null && ` · ${text('integrations.status', { status })}`}
        {sessionId && (
          <>
            {' · '}
            <a href={to(`/candidates/${sessionId}`)}>{text('integrations.candidate')}</a>
          </>
        )}
      </span>
      <code translate={false}>
        {method} {address}
      </code>
      {problem && (
        <p class="small error" translate={false}>
          {problem}
        </p>
      )}
    </>
  )
}
