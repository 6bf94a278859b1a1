// The progress of a correction, which the server applies in the background.
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { number } from '../core/figures.ts'
import { useQuery } from '../core/query.ts'
import type { Correction } from './words.ts'

const everyProgress = 2_000
const everyIdle = 30_000

/** useCorrections reads the corrections of an assessment, often while one is being applied. */
export function useCorrections(id: string | undefined) {
  const [every, setEvery] = useState(everyIdle)
  const query = useQuery(
    id === undefined ? undefined : `/v1/assessments/${id}/corrections`,
    () => ask(v1.GET('/v1/assessments/{id}/corrections', { params: { path: { id: id! } } })),
    { every },
  )
  const isApplying = query.data?.some(({ appliedAt }) => appliedAt === null) === true
  useEffect(() => setEvery(isApplying ? everyProgress : everyIdle), [isApplying])
  return { query, isApplying }
}

/** Progress shows how many sessions are done, and what has changed at the end. */
export function Progress({ correction }: { correction: Correction }) {
  const { done, total, changed, appliedAt } = correction
  if (appliedAt !== null) {
    return (
      <p class="small muted" role="status">
        {changed === 0
          ? text('correction.changed.none')
          : text('correction.changed', { count: changed, total: number(total) })}
      </p>
    )
  }
  // The total is an estimate until the end.
  const whole = Math.max(total, done)
  return (
    <div class="correction-progress" role="status">
      <progress value={done} max={Math.max(1, whole)} aria-label={text('correction.progress')} />
      <span class="small muted">{text('correction.doing', { done: number(done), total: number(whole) })}</span>
    </div>
  )
}
