// Reads candidate sessions and their counts.
import { ask, cursorOf, v1, type Answer, type Schemas } from '../core/api.ts'
import { useQuery, type Query } from '../core/query.ts'
import { searchOf, type Filter, type Sort, type Status } from './filters.ts'

export type Session = Schemas['CandidateSession']
export type Summary = Schemas['CandidateSessionSummary']

export const pageSize = 100
/** The most pages of the contract that are read for one page of the list. Each examines at most 5,000 sessions. */
const maxRequests = 10

const querySerializer = { array: { style: 'form', explode: false } } as const

/** The first page is read again while the person sees it. */
const every = 15_000

export function useSessions(filter: Filter, sort: Sort, after: string | undefined): Query<Session[]> {
  const key = `/v1/candidate-sessions${searchOf(filter)}#${sort} ${after ?? ''}`
  return useQuery(key, () => readPage(filter, sort, after), after ? {} : { every })
}

/** readPage reads until it has a page of sessions, because filters can exclude most of what a request examines. */
async function readPage(filter: Filter, sort: Sort, after: string | undefined): Promise<Answer<Session[]>> {
  const rows: Session[] = []
  for (let requests = 1; ; requests++) {
    const query = { ...filter, sort, limit: pageSize - rows.length, ...(after && { after }) }
    const answer = await ask(v1.GET('/v1/candidate-sessions', { params: { query }, querySerializer }))
    if (!answer.ok) return answer
    rows.push(...answer.data)
    after = cursorOf(answer.response)
    if (!after || rows.length >= pageSize || requests >= maxRequests) return { ...answer, data: rows }
  }
}

/** useSummary counts the sessions in each status, whatever statuses are chosen. */
export function useSummary({ status: _, ...filter }: Filter, isLive: boolean): Query<Summary> {
  return useQuery(
    `/v1/candidate-sessions/summary${searchOf(filter)}`,
    () => ask(v1.GET('/v1/candidate-sessions/summary', { params: { query: filter }, querySerializer })),
    isLive ? { every } : {},
  )
}

export interface Count {
  count: number
  /** False if there are more. */
  isExact: boolean
}

/** The statuses whose sessions have the value that the list is sorted by. The others are not in the list. */
export function sortedStatuses(sort: Sort): Status[] | undefined {
  if (sort.endsWith('score')) return ['COMPLETED', 'DISQUALIFIED']
  return sort.endsWith('completedAt') ? ['COMPLETED'] : undefined
}

/** countOf adds the counts of the chosen statuses, or of all, as far as the list contains them. */
export function countOf(summary: Summary, chosen: Status[], sort: Sort): Count {
  const listed = sortedStatuses(sort)
  if (chosen.length === 0 && !listed) return { count: summary.total, isExact: summary.exact }
  const counted = summary.statuses.filter(
    ({ status }) =>
      (chosen.length === 0 || chosen.some((one) => one === status)) && (!listed || listed.some((one) => one === status)),
  )
  return { count: counted.reduce((sum, { count }) => sum + count, 0), isExact: counted.every(({ exact }) => exact) }
}
