// The audit log: who did what, and when.
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { ClearFilters, Filters, firstPage, Search } from '../core/filters.tsx'
import { dayAndTime, When } from '../core/formats.tsx'
import { Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { CopyButton, Empty, Loaded, NoMatch } from '../core/states.tsx'
import { Pager, Table } from '../core/table.tsx'
import { rangeNames, rangeOf, TimeRange } from '../core/time_range.tsx'
import { useAddress } from '../core/url.ts'
import { actionOf, groups, type Group } from './actions.ts'
import { Export } from './export.tsx'
import { useNames, type Names } from './names.ts'

type Entry = Schemas['AuditEntry']

const limit = 50
const filters = ['action', 'person', 'resource', ...rangeNames]

export default function Screen() {
  const { query, change } = useAddress()
  const reason = needs('ADMIN')
  const { action, person, resource, since, until, after } = query
  const names = useNames(!reason)
  const list = useQuery(
    reason ? undefined : `/v1/audit-log?${JSON.stringify([action, person, resource, since, until, after])}`,
    () =>
      ask(v1.GET('/v1/audit-log', { params: { query: { limit, ...(after && { after }), ...filtersOf(query) } } })),
  )
  if (reason) {
    return (
      <Page title={text('auditLog.title')}>
        <Empty icon="audit" title={text('auditLog.role.title')}>
          <p>{text('auditLog.role.text')}</p>
        </Empty>
      </Page>
    )
  }
  const isFiltered = filters.some((name) => query[name])
  const clear = () => change({ ...Object.fromEntries(filters.map((name) => [name, undefined])), ...firstPage })
  return (
    <Page title={text('auditLog.title')} actions={<Export filters={() => filtersOf(query)} />}>
      <p class="lead-in">{text('auditLog.lead')}</p>
      <div class="list">
        <Filters>
          <Search name="resource" label={text('auditLog.filter.resource')} />
          <ActionFilter />
          <PersonFilter names={names} />
          <TimeRange />
          <ClearFilters names={filters} />
        </Filters>
        <Loaded query={list}>
          {(rows) =>
            rows.length > 0 ? (
              <>
                <Entries rows={rows} names={names} />
                <Pager response={list.response} count={rows.length} />
              </>
            ) : isFiltered || after ? (
              <NoMatch clear={clear} />
            ) : (
              <Empty icon="audit" title={text('auditLog.empty.title')}>
                <p>{text('auditLog.empty.text')}</p>
              </Empty>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

/** filtersOf returns the filters as parameters of a request. */
function filtersOf(query: Record<string, string>) {
  const action = actionOf(query.action)
  return {
    ...(action && { action }),
    ...(query.person && { actorId: query.person }),
    ...(query.resource && { resourceId: query.resource }),
    ...rangeOf(query),
  }
}

function ActionFilter() {
  const { query, change } = useAddress()
  const label = text('auditLog.filter.action')
  return (
    <label class="filter">
      <span class="unseen">{label}</span>
      <select
        class="field small"
        value={query.action ?? ''}
        onChange={(event) => change({ action: event.currentTarget.value || undefined, ...firstPage })}
      >
        <option value="">{text('filter.all', { label })}</option>
        {(Object.keys(groups) as Group[]).map((group) => (
          <optgroup key={group} label={text(`auditLog.group.${group}`)}>
            {groups[group].map((action) => (
              <option key={action} value={action}>
                {text(`auditLog.action.${action}`)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

function PersonFilter({ names: { members, keys } }: { names: Names }) {
  const { query, change } = useAddress()
  const label = text('auditLog.filter.person')
  const { person } = query
  const isKnown = [...members, ...keys].some(({ id }) => id === person)
  const options = (rows: { id: string; name: string }[]) =>
    rows.map(({ id, name }) => (
      <option key={id} value={id} translate={false}>
        {name}
      </option>
    ))
  return (
    <label class="filter">
      <span class="unseen">{label}</span>
      <select
        class="field small"
        value={person ?? ''}
        onChange={(event) => change({ person: event.currentTarget.value || undefined, ...firstPage })}
      >
        <option value="">{text('filter.all', { label })}</option>
        {person && !isKnown && <option value={person}>{person}</option>}
        <optgroup label={text('auditLog.people')}>{options(members)}</optgroup>
        {keys.length > 0 && <optgroup label={text('auditLog.keys')}>{options(keys)}</optgroup>}
      </select>
    </label>
  )
}

function Entries({ rows, names }: { rows: Entry[]; names: Names }) {
  return (
    <Table
      caption={text('auditLog.title')}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'entry',
          label: text('auditLog.column.entry'),
          cell: (entry) => (
            <>
              <span class="audit-log-entry">
                <Sentence entry={entry} names={names} />
              </span>
              <Changes entry={entry} />
            </>
          ),
        },
        {
          id: 'ip',
          label: text('auditLog.column.ip'),
          cell: ({ ip, requestId }) => (
            <>
              {ip}
              {requestId && (
                <span class="small muted audit-log-request">
                  {text('auditLog.request')} <CopyButton value={requestId} isSmall />
                </span>
              )}
            </>
          ),
          isMinor: true,
        },
        {
          id: 'time',
          label: text('auditLog.column.time'),
          cell: ({ createdAt }) => (
            <span class="audit-log-time">
              <When at={createdAt} isRelative />
            </span>
          ),
        },
      ]}
    />
  )
}

/** Sentence says who did what. The contract can have new actions. */
function Sentence({ entry, names }: { entry: Entry; names: Names }) {
  const { action, actor, resource, changes } = entry
  const { name, href } = names.of(resource)
  const [role] = changes
  const hasRoles = action === 'MEMBER_ROLE_CHANGED' && role?.from && role.to
  const key = hasRoles ? 'auditLog.entry.roleFromTo' : `auditLog.entry.${action}`
  const elements = {
    actor: (
      <b translate={!actor.name}>
        {actor.name ?? unnamed(actor.type)}
      </b>
    ),
    resource: href ? <a href={href}>{name}</a> : <b translate={false}>{name}</b>,
  }
  if (!hasText(key)) return <>{rich('auditLog.entry.other', elements, { action })}</>
  return <>{rich(key, elements, { from: role?.from ?? '', to: role?.to ?? '' })}</>
}

/** unnamed says who an actor without a name is. */
function unnamed(type: string): string {
  if (type === 'RETENTION') return text('auditLog.retention')
  return text(type === 'ANONYMOUS' ? 'auditLog.anonymous' : 'auditLog.unknown')
}

function Changes({ entry: { action, changes } }: { entry: Entry }) {
  if (changes.length === 0 || action === 'MEMBER_ROLE_CHANGED') return null
  return (
    <ul class="audit-log-changes small muted" aria-label={text('auditLog.changes')}>
      {changes.map(({ field, from, to }) => (
        <li key={field}>{inWords(field, from, to)}</li>
      ))}
    </ul>
  )
}

function inWords(name: string, from: string | null, to: string | null): string {
  const key = `auditLog.field.${name}`
  const field = hasText(key) ? text(key) : name
  if (from === null && to === null) return text('auditLog.change.hidden', { field })
  if (from === null) return text('auditLog.change.set', { field, to: valueOf(name, to ?? '') })
  return text('auditLog.change', {
    field,
    from: valueOf(name, from),
    to: to === null ? text('auditLog.unset') : valueOf(name, to),
  })
}

/** valueOf writes times, lists, and yes or no for people. Other values are shown as they are. */
function valueOf(name: string, value: string): string {
  if (name === 'scopes' || name === 'events') return value.split(' ').join(', ')
  if (value === 'true' || value === 'false') return text(`auditLog.value.${value}`)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? dayAndTime(value) : value
}
