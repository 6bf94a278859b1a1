// The segments of an assessment, and the statistics of the chosen one.
import { useEffect, useState } from 'preact/hooks'
import { ask, v1 } from '../core/api.ts'
import { useQuery } from '../core/query.ts'
import { every } from '../assessment/head.tsx'

/** The server counts about 1,000 sessions per second. */
const everyCounting = 3_000

/** inSegment returns the parameters of a request for statistics, and what they add to the key of the query. */
export function inSegment(id: string, segment: string | undefined) {
  const query = segment ? { segmentId: segment } : {}
  return { params: { path: { id }, query }, search: segment ? `?segmentId=${segment}` : '' }
}

/** useStatistics reads the statistics of the chosen segment, more often while the server still counts its sessions. */
export function useStatistics(id: string, segment: string | undefined, isWanted = true) {
  const [pace, setPace] = useState(every)
  const { params, search } = inSegment(id, segment)
  const query = useQuery(
    isWanted ? `/v1/assessments/${id}/statistics${search}` : undefined,
    () => ask(v1.GET('/v1/assessments/{id}/statistics', { params })),
    { every: pace },
  )
  const isCounting = query.data?.complete === false
  useEffect(() => setPace(isCounting ? everyCounting : every), [isCounting])
  return { statistics: query, isCounting, pace }
}

/** useSegments reads the segments, more often while the server still counts the sessions of one. */
export function useSegments(id: string) {
  const [pace, setPace] = useState(every)
  const query = useQuery(
    `/v1/assessments/${id}/segments`,
    () => ask(v1.GET('/v1/assessments/{id}/segments', { params: { path: { id } } })),
    { every: pace },
  )
  const isCounting = query.data?.some(({ complete }) => !complete) ?? false
  useEffect(() => setPace(isCounting ? everyCounting : every), [isCounting])
  return query
}
