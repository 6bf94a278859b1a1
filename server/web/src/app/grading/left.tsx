// How many answers to the question are left.
import { useMemo } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { useQuery } from '../core/query.ts'
import type { Claim } from './points.ts'
import type { Turn } from './turn.ts'

/** Left reads the queue once, and counts from there, because each grade sends one request. */
export function Left({ turn, claim: { assessmentId, question } }: { turn: Turn; claim: Claim }) {
  const { data } = useQuery(`/v1/grading?assessmentId=${assessmentId}`, () =>
    ask(v1.GET('/v1/grading', { params: { query: { assessmentId } } })),
  )
  const first = data?.questions.find(({ questionId }) => questionId === question.id)
  const graded = turn.graded.value.filter(({ questionId }) => questionId === question.id).length
  const counted = useMemo(() => graded, [data])
  if (!first) return null
  // The shown answer is one of them.
  const left = Math.max(0, first.open - 1 - (graded - counted))
  return <span class="small muted">{text('grading.left', { count: left })}</span>
}
