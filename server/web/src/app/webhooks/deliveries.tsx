// The deliveries of an endpoint, and the drawer with a delivery.
import { text, Verbatim } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { ClearFilters, Filters, firstPage, Search, SelectFilter } from '../core/filters.tsx'
import { When } from '../core/formats.tsx'
import { useQuery } from '../core/query.ts'
import { Empty, Loaded, NoMatch } from '../core/states.tsx'
import { Pager, Table } from '../core/table.tsx'
import { rangeNames, rangeOf, TimeRange } from '../core/time_range.tsx'
import { useAddress } from '../core/url.ts'
import { DeliveryDrawer } from './delivery.tsx'
import { useEvents } from './subjects.ts'
import { arrivalOf, deliveryStatuses, DeliveryTag, eventName, eventTypes, oneOf, subjectOf, type Delivery, type Endpoint } from './words.tsx'

const limit = 25
const filters = ['status', 'type', 'event', ...rangeNames]

export function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const address = useAddress()
  const { status, type, event, since, until, after, delivery } = address.query
  const list = useQuery(
    `/v1/deliveries?${JSON.stringify([endpoint.id, status, type, event, since, until, after])}`,
    () => ask(v1.GET('/v1/deliveries', { params: { query: request(endpoint.id, address.query) } })),
    after ? {} : { every: 5000 },
  )
  const rows = list.data ?? []
  const isFiltered = filters.some((name) => address.query[name])
  const clear = () => address.change({ ...Object.fromEntries(filters.map((name) => [name, undefined])), ...firstPage })
  const show = (id: string | undefined) => address.change({ delivery: id }, true)
  return (
    <section class="webhooks-deliveries" id="deliveries">
      <h2>{text('webhooks.deliveries')}</h2>
      <div class="list">
        <DeliveryFilters />
        <Loaded query={list}>
          {(found) =>
            found.length > 0 ? (
              <>
                <DeliveryTable rows={found} />
                <Pager response={list.response} count={found.length} />
              </>
            ) : isFiltered || after ? (
              <NoMatch clear={clear} />
            ) : (
              <Empty icon="events" title={text('webhooks.deliveries.none')}>
                <p>{text('webhooks.deliveries.first')}</p>
              </Empty>
            )
          }
        </Loaded>
      </div>
      {delivery && (
        <DeliveryDrawer
          key={delivery}
          id={delivery}
          endpoint={endpoint}
          neighbours={neighboursOf(rows, delivery)}
          show={show}
          changed={list.reload}
        />
      )}
    </section>
  )
}

function request(webhookId: string, query: Record<string, string>) {
  const status = oneOf(deliveryStatuses, query.status)
  const eventType = oneOf(eventTypes, query.type)
  return {
    webhookId,
    limit,
    ...(status && { status }),
    ...(eventType && { eventType }),
    ...(query.event && { eventId: query.event }),
    ...(query.after && { after: query.after }),
    ...rangeOf(query),
  }
}

/** neighboursOf returns the deliveries before and after the delivery in the drawer, if they are on the page. */
function neighboursOf(rows: Delivery[], id: string): { previous: string | undefined; next: string | undefined } {
  const at = rows.findIndex((row) => row.id === id)
  if (at < 0) return { previous: undefined, next: undefined }
  return { previous: rows[at - 1]?.id, next: rows[at + 1]?.id }
}

function DeliveryFilters() {
  return (
    <Filters>
      <Search name="event" label={text('webhooks.filter.event')} />
      <SelectFilter
        name="status"
        label={text('webhooks.filter.status')}
        options={deliveryStatuses.map((value) => ({ value, label: text(`webhooks.delivery.${value}`) }))}
      />
      <SelectFilter
        name="type"
        label={text('webhooks.filter.type')}
        options={eventTypes.map((value) => ({ value, label: eventName(value) }))}
      />
      <TimeRange />
      <ClearFilters names={filters} />
    </Filters>
  )
}

function DeliveryTable({ rows }: { rows: Delivery[] }) {
  const address = useAddress()
  const events = useEvents(rows)
  const hrefOf = ({ id }: Delivery) => address.with({ delivery: id })
  return (
    <Table
      caption={text('webhooks.deliveries')}
      rows={rows}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      columns={[
        {
          id: 'event',
          label: text('webhooks.column.event'),
          cell: (row) => (
            <>
              <a href={hrefOf(row)}>{eventName(row.eventType)}</a>
              <span class="small muted webhooks-narrow" translate={false}>
                {subjectName(events.get(row.eventId)?.data)}
              </span>
            </>
          ),
        },
        {
          id: 'about',
          label: text('webhooks.column.about'),
          cell: (row) => <Verbatim>{subjectName(events.get(row.eventId)?.data)}</Verbatim>,
          isMinor: true,
        },
        {
          id: 'status',
          label: text('webhooks.column.status'),
          cell: (row) => (
            <>
              <DeliveryTag delivery={row} />
              {arrivalOf(row, [...rows, ...(events.get(row.eventId)?.deliveries ?? [])]) && (
                <span class="small muted">{text('webhooks.later')}</span>
              )}
              {row.status === 'PENDING' && row.nextAttemptAt && row.attemptCount > 0 && (
                <span class="small muted">
                  {text('webhooks.next')} <When at={row.nextAttemptAt} isRelative />
                </span>
              )}
            </>
          ),
        },
        {
          id: 'attempts',
          label: text('webhooks.column.attempts'),
          cell: ({ attemptCount }) => attemptCount,
          isNumber: true,
          isMinor: true,
        },
        { id: 'time', label: text('webhooks.column.time'), cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
      ]}
    />
  )
}

function subjectName(data: Record<string, unknown> | undefined): string {
  return (data && subjectOf(data)?.name) ?? ''
}
