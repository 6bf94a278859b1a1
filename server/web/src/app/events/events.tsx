// The events of the organization: what happened, and where it was sent.
import { text, Verbatim } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { ClearFilters, Filters, firstPage, SelectFilter } from '../core/filters.tsx'
import { When } from '../core/formats.tsx'
import { Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { Empty, Loaded, NoMatch } from '../core/states.tsx'
import { Pager, Table } from '../core/table.tsx'
import { rangeNames, rangeOf, TimeRange } from '../core/time_range.tsx'
import { useAddress } from '../core/url.ts'
import { DeliveryTag, eventName, eventTypes, oneOf, subjectOf, type EventRecord } from '../webhooks/words.tsx'
import { EventDrawer } from './event.tsx'
import { ResourceFilter } from './resource.tsx'

const limit = 25
const filters = ['type', 'resource', ...rangeNames]

export default function Screen() {
  const { query, change } = useAddress()
  const { type, resource, since, until, after, event } = query
  const list = useQuery(
    `/v1/events?${JSON.stringify([type, resource, since, until, after])}`,
    () => ask(v1.GET('/v1/events', { params: { query: request(query) } })),
    after ? {} : { every: 10_000 },
  )
  const isFiltered = filters.some((name) => query[name])
  const clear = () => change({ ...Object.fromEntries(filters.map((name) => [name, undefined])), ...firstPage })
  return (
    <Page title={text('events.title')}>
      <div class="list">
        <Filters>
          <ResourceFilter />
          <SelectFilter
            name="type"
            label={text('events.filter.type')}
            options={eventTypes.map((value) => ({ value, label: eventName(value) }))}
          />
          <TimeRange />
          <ClearFilters names={filters} />
        </Filters>
        <Loaded query={list}>
          {(rows) =>
            rows.length > 0 ? (
              <>
                <Events rows={rows} />
                <Pager response={list.response} count={rows.length} />
              </>
            ) : isFiltered || after ? (
              <NoMatch clear={clear} />
            ) : (
              <Empty icon="events" title={text('events.empty.title')}>
                <p>{text('events.empty.text')}</p>
              </Empty>
            )
          }
        </Loaded>
      </div>
      {event && (
        <EventDrawer
          key={event}
          id={event}
          known={list.data?.find(({ id }) => id === event)}
          close={() => change({ event: undefined }, true)}
        />
      )}
    </Page>
  )
}

function request(query: Record<string, string>) {
  const type = oneOf(eventTypes, query.type)
  return {
    limit,
    ...(type && { type }),
    ...(query.resource && { resourceId: query.resource }),
    ...(query.after && { after: query.after }),
    ...rangeOf(query),
  }
}

function Events({ rows }: { rows: EventRecord[] }) {
  const address = useAddress()
  const hrefOf = ({ id }: EventRecord) => address.with({ event: id })
  return (
    <Table
      caption={text('events.title')}
      rows={rows}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      columns={[
        {
          id: 'type',
          label: text('events.column.event'),
          cell: (row) => (
            <>
              <a href={hrefOf(row)}>{eventName(row.type)}</a>
              <span class="small muted events-type">{row.type}</span>
            </>
          ),
        },
        {
          id: 'about',
          label: text('events.column.about'),
          cell: ({ data }) => <Verbatim>{subjectOf(data)?.name ?? '–'}</Verbatim>,
        },
        { id: 'sent', label: text('events.column.deliveries'), cell: (row) => <Sent event={row} />, isMinor: true },
        { id: 'time', label: text('events.column.time'), cell: ({ timestamp }) => <When at={timestamp} isRelative /> },
      ]}
    />
  )
}

/** Sent shows the newest delivery to each endpoint, as one tag for each status. */
function Sent({ event: { deliveries } }: { event: EventRecord }) {
  if (deliveries.length === 0) return <span class="muted small">{text('events.notSent')}</span>
  const newest = [...new Map([...deliveries].reverse().map((delivery) => [delivery.webhookId, delivery])).values()]
  const counts = new Map<string, { delivery: (typeof newest)[number]; count: number }>()
  for (const delivery of newest) {
    const key = `${delivery.status} ${delivery.attemptCount > 0}`
    counts.set(key, { delivery, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return (
    <span class="events-sent">
      {[...counts].map(([key, { delivery, count }]) => (
        <span key={key}>
          <DeliveryTag delivery={delivery} />
          {count > 1 && <span class="muted"> × {count}</span>}
        </span>
      ))}
    </span>
  )
}
