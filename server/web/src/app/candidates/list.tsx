// The list of candidates: of all assessments, or of one.
import { useRef, useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { cursorOf } from '../core/api.ts'
import { ClearFilters, firstPage } from '../core/filters.tsx'
import { number, score as shown } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { lazy } from '../core/lazy.ts'
import { ActionLink } from '../core/page.tsx'
import { Empty, Loaded, NoMatch } from '../core/states.tsx'
import { Pager, Table, type Column } from '../core/table.tsx'
import { to, useAddress } from '../core/url.ts'
import { Export } from './export.tsx'
import { FilterBar } from './filter_bar.tsx'
import { defaultSort, filterNames, filterOf, searchOf, sortOf, sorts, statusesOf, type Filter, type Sort } from './filters.ts'
import { useMaxWidth } from './media.ts'
import { rowSelection, type Anchor } from './row_selection.tsx'
import { isInState, StateTag } from './state.tsx'
import { countOf, sortedStatuses, useSessions, useSummary, type Session } from './sessions.ts'
import { hasRegistered, nameOf, StatusTag } from './status.tsx'
import { waiting } from './waiting.ts'

const Waiting = lazy(async () => (await import('./on_demand.ts')).Waiting)
const SelectionBar = lazy(async () => (await import('./on_demand.ts')).SelectionBar)

interface Props {
  /** The assessment whose candidates are listed. */
  assessment?: { id: string; title: string; invitable: string | undefined }
}

export function CandidateList({ assessment }: Props) {
  const { query, change } = useAddress()
  const filter = filterOf(query, assessment?.id)
  const { selected, setSelected } = useSelected(filter)
  const anchor = useRef<Anchor>({})
  const sort = sortOf(query)
  const sessions = useSessions(filter, sort, query.after)
  const summary = useSummary(filter, !query.after)
  const names = assessment ? filterNames.filter((name) => name !== 'assessment') : filterNames
  const isFiltered = names.some((name) => query[name]) || sortedStatuses(sort) !== undefined
  const clear = () => change({ ...Object.fromEntries(names.map((name) => [name, undefined])), sort: undefined, ...firstPage })
  const columns = useColumns(assessment !== undefined)
  const counts = summary.isStale ? undefined : summary.data
  return (
    <div class="list candidates-list">
      {waiting().length > 0 && <Waiting key={waiting().length} />}
      <FilterBar isOfAssessment={assessment !== undefined} summary={counts} />
      <div class="candidates-line">
        <Total counts={counts && countOf(counts, statusesOf(query), sort)} sort={sort} />
        <ClearFilters names={names} />
        <span class="grow" />
        <SortSelect />
        <Export filter={filter} title={assessment?.title} />
      </div>
      <Loaded query={sessions}>
        {(rows) =>
          rows.length === 0 ? (
            <Nothing
              isFiltered={isFiltered}
              isPart={sessions.response !== undefined && cursorOf(sessions.response) !== undefined}
              clear={clear}
              assessment={assessment}
            />
          ) : (
            <Table
              caption={text('candidates.title')}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => to(`/candidates/${id}`)}
              defaultSort={defaultSort}
              selection={rowSelection({
                list: `${searchOf(filter)} ${sort} ${query.after ?? ''}`,
                // While another list loads, the earlier list is shown. It must not be selected as a whole.
                rows: sessions.isStale ? [] : rows,
                selected,
                anchor: anchor.current,
                change: (next) => setSelected(() => next),
              })}
            />
          )
        }
      </Loaded>
      <Pager response={sessions.response} count={sessions.data?.length ?? 0} />
      {selected.size > 0 && (
        <SelectionBar
          sessions={withNewest(selected, sessions.data)}
          elsewhere={[...selected.keys()].filter((id) => !sessions.data?.some((row) => row.id === id)).length}
          title={assessment?.title}
          clear={() => {
            setSelected(() => new Map())
            anchor.current = {}
          }}
          changed={(session) => {
            setSelected((before) => (before.has(session.id) ? new Map(before).set(session.id, session) : before))
            sessions.set((sessions.data ?? []).map((row) => (row.id === session.id ? session : row)))
          }}
          done={() => {
            sessions.reload()
            summary.reload()
          }}
        />
      )}
    </div>
  )
}

/**
 * useSelected holds the selected sessions, also on other pages, because people collect candidates by several searches. A
 * change of the filters ends the selection, so that an action never includes a session that is out of sight.
 */
function useSelected(filter: Filter) {
  const { q: _, ...others } = filter
  const list = searchOf(others)
  const [state, setState] = useState<{ list: string; selected: ReadonlyMap<string, Session> }>({ list, selected: new Map() })
  const selected = state.list === list ? state.selected : new Map<string, Session>()
  const setSelected = (next: (before: ReadonlyMap<string, Session>) => ReadonlyMap<string, Session>) =>
    setState((before) => ({ list, selected: next(before.list === list ? before.selected : new Map()) }))
  return { selected, setSelected }
}

/** withNewest returns the selected sessions as the list shows them now, because their status can change. */
function withNewest(selected: ReadonlyMap<string, Session>, rows: Session[] = []): Session[] {
  const newest = new Map(rows.map((row) => [row.id, row]))
  return [...selected.values()].map((session) => newest.get(session.id) ?? session)
}

function Total({ counts, sort }: { counts: ReturnType<typeof countOf> | undefined; sort: Sort }) {
  const listed = sortedStatuses(sort)
  const count = counts?.count ?? 0
  return (
    <p role="status">
      {counts && <b>{text(counts.isExact ? 'candidates.count' : 'candidates.countMore', { count })}</b>}
      {counts && listed && (
        <span class="muted"> {text(listed.length > 1 ? 'candidates.onlyScored' : 'candidates.onlyFinished')}</span>
      )}
      {counts && sort.endsWith('rating') && <span class="muted"> {text('candidates.onlyRated')}</span>}
    </p>
  )
}

/** SortSelect has the orders of the column heads, and the orders by values without a column. */
function SortSelect() {
  const { query, change } = useAddress()
  return (
    <label class="filter candidates-sort">
      <span class="unseen">{text('candidates.sort')}</span>
      <select
        class="field small"
        value={sortOf(query)}
        onChange={({ currentTarget: { value } }) => change({ sort: value === defaultSort ? undefined : value, ...firstPage })}
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {text(`candidates.sort.${sort as '-createdAt'}`)}
          </option>
        ))}
      </select>
    </label>
  )
}

interface NothingProps extends Pick<Props, 'assessment'> {
  isFiltered: boolean
  /** Whether the server has not examined all sessions yet. */
  isPart: boolean
  clear(): void
}

function Nothing({ isFiltered, isPart, clear, assessment }: NothingProps) {
  if (isPart) return <Empty icon="search" title={text('candidates.part.title')} children={text('candidates.part.text')} />
  if (isFiltered) return <NoMatch clear={clear} />
  const invite = (
    <ActionLink href={to('/invite', { assessment: assessment?.id })} kind="primary" reason={assessment?.invitable}>
      {text('candidates.invite')}
    </ActionLink>
  )
  return (
    <Empty icon="candidates" title={text('candidates.empty.title')} action={invite}>
      {text(assessment ? 'candidates.empty.ofAssessment' : 'candidates.empty.text')}
    </Empty>
  )
}

/** useColumns returns the columns for which the window has room. Below the name is what has none. */
function useColumns(isOfAssessment: boolean): Column<Session>[] {
  const isBelow = useMaxWidth(1480) && !isOfAssessment
  const hasState = !useMaxWidth(1260)
  const isMedium = useMaxWidth(1100)
  const isNarrow = useMaxWidth(700)
  const columns: (Column<Session> | false)[] = [
    {
      id: 'candidate',
      label: text('candidates.candidate'),
      cell: (row) => <Name session={row} hasTitle={isBelow} hasStatus={isNarrow} hasReview={!hasState} />,
    },
    !isOfAssessment &&
      !isBelow && {
        id: 'assessment',
        label: text('candidates.assessment'),
        cell: ({ assessmentTitle }) => <span class="title">{assessmentTitle}</span>,
      },
    !isNarrow && { id: 'status', label: text('candidates.status'), cell: (row) => <Status session={row} /> },
    hasState && { id: 'state', label: text('candidates.state'), cell: (row) => <Review session={row} /> },
    { id: 'score', label: text('candidates.score'), sort: 'score', cell: ({ score }) => <Score score={score} /> },
    !isNarrow && {
      id: 'finished',
      label: text('candidates.finished'),
      sort: 'completedAt',
      cell: ({ completedAt, disqualifiedAt }) => <Time at={completedAt ?? disqualifiedAt} />,
    },
    !isMedium && {
      id: 'invited',
      label: text('candidates.invited'),
      sort: 'createdAt',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ]
  return columns.filter((column) => column !== false)
}

interface NameProps {
  session: Session
  hasTitle: boolean
  hasStatus: boolean
  hasReview: boolean
}

function Name({ session, hasTitle, hasStatus, hasReview }: NameProps) {
  const { id, candidateEmail, erasedAt, assessmentTitle, externalId, test } = session
  return (
    <>
      <a href={to(`/candidates/${id}`)} title={externalId ?? undefined} translate={false}>
        {nameOf(session)}
      </a>
      {' '}
      {test && <span class="tag">{text('candidates.test')}</span>}{' '}
      {hasRegistered(session) && (
        <span class="tag" title={text('candidates.registered.how')}>
          {text('candidates.registered')}
        </span>
      )}
      {!erasedAt && <span class="small muted">{candidateEmail}</span>}
      {hasTitle && <span class="small muted">{assessmentTitle}</span>}
      <Tags names={session.tags ?? []} />
      {(hasStatus || (hasReview && (isInState(session.stateId) || session.rating !== null))) && (
        <span class="candidates-tags">
          {hasStatus && <Status session={session} />} <Review session={session} />
        </span>
      )}
    </>
  )
}

function Review({ session: { stateId, rating } }: { session: Session }) {
  return (
    <>
      <StateTag id={stateId} />
      {rating !== null && (
        <span class="small candidates-rating" title={text('candidates.rating.mean', { rating: number(rating, 1) })}>
          <span class="unseen">{text('candidates.rating')}</span> <span aria-hidden="true">★</span> {number(rating, 1)}
        </span>
      )}
    </>
  )
}

const mostTags = 3

/** Tags are the first tags of a candidate, and the number of further tags. */
function Tags({ names }: { names: string[] }) {
  if (names.length === 0) return null
  return (
    <span class="candidates-tags" title={names.join(', ')} translate={false}>
      {names.slice(0, mostTags).map((name) => (
        <span key={name} class="tag">
          {name}
        </span>
      ))}
      {names.length > mostTags && <span class="small muted">+{names.length - mostTags}</span>}
    </span>
  )
}

function Status({ session }: { session: Session }) {
  const isUndelivered = session.status === 'INVITED' && session.email.status === 'FAILED'
  return (
    <>
      <StatusTag {...session} />
      {session.inReviewSince && (
        <span class="small muted block">
          {rich('candidates.status.since', { when: <When at={session.inReviewSince} isRelative /> })}
        </span>
      )}
      {isUndelivered && (
        <span class="small bad" title={session.email.failure ?? undefined}>
          {text('candidates.undelivered')}
        </span>
      )}
    </>
  )
}

function Score({ score }: { score: number | null }) {
  if (score === null) return <span class="muted">–</span>
  return (
    <span class="score">
      <span class="bar" aria-hidden="true">
        <i style={{ width: `${score}%` }} />
      </span>
      {shown(score)}
    </span>
  )
}

function Time({ at }: { at: string | null }) {
  return <span class="muted time">{at ? <When at={at} isRelative /> : '–'}</span>
}

