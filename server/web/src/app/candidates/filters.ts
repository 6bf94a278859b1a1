// The filters of the list, as the address has them and as the contract takes them.
import type { paths } from '../../shared/openapi.gen.ts'
import { addDays, startOfDay } from '../core/wall_time.ts'
import { organizationZone, toField } from '../core/zone.ts'

export type Filter = NonNullable<paths['/v1/candidate-sessions/summary']['get']['parameters']['query']>
export type Status = NonNullable<Filter['status']>[number]
export type Sort = NonNullable<NonNullable<paths['/v1/candidate-sessions']['get']['parameters']['query']>['sort']>

export const statuses: Status[] = ['INVITED', 'IN_PROGRESS', 'IN_REVIEW', 'COMPLETED', 'DISQUALIFIED', 'EXPIRED', 'CANCELLED']
export const defaultSort: Sort = '-createdAt'
/** The orders of the menu. The heads of columns choose between some of them. */
export const sorts: Sort[] = ['-createdAt', 'createdAt', '-score', 'score', '-rating', 'rating', '-completedAt', 'completedAt', '-updatedAt', 'updatedAt']

/** The parameters of the address that are filters. */
export const filterNames = ['q', 'status', 'assessment', 'min', 'max', 'passed', 'created', 'completed', 'test', 'state', 'tag', 'rating']

/** The periods that end today, with their days. */
export const presets = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const
export type Preset = keyof typeof presets
export const isPreset = (value: string | undefined): value is Preset => value !== undefined && value in presets

/** today returns the date in the organization's zone, as fields of the type date have it. */
export const today = () => toField(new Date()).slice(0, 10)

/** datesOf splits "2026-11-01..2026-11-20" into the first and the last day. Each can be empty. */
export function datesOf(value: string | undefined): { from: string; to: string } {
  if (isPreset(value)) return { from: addDays(today(), 1 - presets[value]), to: '' }
  const [from = '', to = ''] = (value ?? '').split('..')
  return { from: addDays(from, 0), to: addDays(to, 0) }
}

/** The times from the start of the first day to the end of the last day. */
function timesOf(value: string | undefined): { since: string | undefined; until: string | undefined } {
  const { from, to } = datesOf(value)
  const zone = organizationZone()
  return { since: startOfDay(from, zone), until: startOfDay(addDays(to, 1), zone) }
}

function scoreOf(value: string | undefined): number | undefined {
  const score = Number(value)
  return value && score >= 0 && score <= 100 ? score : undefined
}

function ratingOf(value: string | undefined): number | undefined {
  const rating = Number(value)
  return rating >= 1 && rating <= 5 ? rating : undefined
}

function tagsOf(value = ''): string[] | undefined {
  const tags = value.split(',').filter((tag) => tag.trim() && tag.length <= 40)
  return tags.length > 0 ? tags.slice(0, 20) : undefined
}

export function statusesOf(query: Record<string, string>): Status[] {
  const chosen = (query.status ?? '').split(',')
  return statuses.filter((status) => chosen.includes(status))
}

export function sortOf(query: Record<string, string>): Sort {
  return sorts.find((sort) => sort === query.sort) ?? defaultSort
}

/** filterOf returns the filters of an address. What the contract would refuse is left out. */
export function filterOf(query: Record<string, string>, assessmentId: string | undefined): Filter {
  const created = timesOf(query.created)
  const completed = timesOf(query.completed)
  const chosen = statusesOf(query)
  const all: Filter = {
    q: query.q?.trim().slice(0, 200) || undefined,
    assessmentId: assessmentId ?? query.assessment,
    status: chosen.length > 0 ? chosen : undefined,
    minScore: scoreOf(query.min),
    maxScore: scoreOf(query.max),
    passed: query.passed === 'true' ? true : query.passed === 'false' ? false : undefined,
    createdSince: created.since,
    createdUntil: created.until,
    completedSince: completed.since,
    completedUntil: completed.until,
    test: query.test === 'true' ? true : undefined,
    tag: tagsOf(query.tag),
    // The list in the order of the ratings has only candidates with one, so the summary counts only these.
    minRating: ratingOf(query.rating) ?? (sortOf(query).endsWith('rating') ? 1 : undefined),
    state: query.state ? query.state.split(',').slice(0, 20) : undefined,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** searchOf writes the filters as parameters of an address of /v1. */
export function searchOf(filter: Filter): string {
  const search = new URLSearchParams(parametersOf(filter)).toString()
  return search && `?${search}`
}

/** parametersOf returns the filters as parameters of an address of /v1. */
export function parametersOf(filter: Filter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]))
}
