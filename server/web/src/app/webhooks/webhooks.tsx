// The endpoints of the organization, with their health at a glance.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import { Action, Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { Pager, Table } from '../core/table.tsx'
import { to, useAddress } from '../core/url.ts'
import { AddEndpoint } from './add.tsx'
import { Bars, lastDay, successShare } from './chart.tsx'
import { disabledWhy, eventName, eventTypes, HealthTag, healthOf, hostOf, milliseconds, type Endpoint } from './words.tsx'

const every = 30_000

export default function Screen() {
  const { query } = useAddress()
  const [isAdding, setAdding] = useState(false)
  const { after } = query
  const endpoints = useQuery(
    `/v1/webhooks?after=${after ?? ''}`,
    () => ask(v1.GET('/v1/webhooks', { params: { query: { limit: 50, ...(after && { after }) } } })),
    { every },
  )
  const add = (
    <Action kind="primary" reason={needs('ADMIN')} act={() => setAdding(true)}>
      {text('webhooks.add')}
    </Action>
  )
  const isEmpty = endpoints.data?.length === 0 && !after
  return (
    <Page title={text('webhooks.title')} actions={!isEmpty && add}>
      <Loaded query={endpoints}>
        {(rows) =>
          isEmpty ? (
            <Empty icon="webhook" title={text('webhooks.empty.title')} action={add}>
              <p>{text('webhooks.empty.text')}</p>
            </Empty>
          ) : (
            <div class="list">
              <Endpoints rows={rows} />
              <Pager response={endpoints.response} count={rows.length} />
            </div>
          )
        }
      </Loaded>
      {isAdding && <AddEndpoint close={() => setAdding(false)} />}
    </Page>
  )
}

function Endpoints({ rows }: { rows: Endpoint[] }) {
  const hrefOf = ({ id }: Endpoint) => to(`/webhooks/${id}`)
  return (
    <Table
      caption={text('webhooks.title')}
      rows={rows}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      columns={[
        {
          id: 'url',
          label: text('webhooks.column.endpoint'),
          cell: (endpoint) => (
            <>
              <a class="webhooks-url" href={hrefOf(endpoint)}>
                {hostOf(endpoint.url)}
              </a>
              <span class="small muted">{endpoint.description ?? eventsInWords(endpoint)}</span>
            </>
          ),
        },
        { id: 'health', label: text('webhooks.column.health'), cell: (endpoint) => <HealthCell endpoint={endpoint} /> },
        { id: 'day', label: text('webhooks.column.day'), cell: ({ id }) => <DayCell id={id} />, isMinor: true },
        {
          id: 'last',
          label: text('webhooks.column.last'),
          cell: (endpoint) => <LastCell endpoint={endpoint} />,
          isMinor: true,
        },
      ]}
    />
  )
}

/** eventsInWords lists the events of an endpoint, if they are few. */
export function eventsInWords({ events }: Endpoint): string {
  if (events.length === eventTypes.length) return text('webhooks.events.all')
  if (events.length <= 2) return events.map(eventName).join(', ')
  return text('webhooks.events.count', { count: events.length })
}

function HealthCell({ endpoint }: { endpoint: Endpoint }) {
  const health = healthOf(endpoint)
  return (
    <>
      <HealthTag endpoint={endpoint} />
      {health === 'failing' && (
        <span class="small muted">{text('webhooks.failures', { count: endpoint.consecutiveFailures })}</span>
      )}
      {health === 'disabled' && <span class="small muted">{disabledWhy(endpoint)}</span>}
    </>
  )
}

/** DayCell reads the statistics of one endpoint. An organization has few endpoints. */
function DayCell({ id }: { id: string }) {
  const { data } = useQuery(
    `/v1/webhooks/${id}/statistics`,
    () => ask(v1.GET('/v1/webhooks/{id}/statistics', { params: { path: { id } } })),
    { every },
  )
  if (!data) return <span class="webhooks-day" />
  const summary = lastDay(data)
  const { hours, succeeded, failed, p95Ms } = summary
  return (
    <div class="webhooks-day">
      <Bars isSmall hours={hours} label={text('webhooks.chart.label', { succeeded, failed })} />
      <span>
        <b>{successShare(summary)}</b>
        {p95Ms !== null && <span class="small muted">{text('webhooks.p95', { duration: milliseconds(p95Ms) })}</span>}
      </span>
    </div>
  )
}

function LastCell({ endpoint: { lastSuccessAt, lastFailureAt } }: { endpoint: Endpoint }) {
  if (!lastSuccessAt && !lastFailureAt) return <span class="muted">{text('webhooks.last.none')}</span>
  return (
    <>
      {lastSuccessAt && (
        <span class="webhooks-last">{rich('webhooks.last.success', { time: <When at={lastSuccessAt} isRelative /> })}</span>
      )}
      {lastFailureAt && (
        <span class="webhooks-last muted">
          {rich('webhooks.last.failure', { time: <When at={lastFailureAt} isRelative /> })}
        </span>
      )}
    </>
  )
}
