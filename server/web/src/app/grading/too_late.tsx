// Why a grade cannot be undone, and what the person can do instead.
import { useEffect } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { isReviewer } from '../core/roles.ts'
import { to } from '../core/url.ts'
import type { Turn } from './turn.ts'

interface Props {
  late: NonNullable<Turn['late']['value']>
  assessmentId: string
  /** Whether two people grade each answer. */
  isShared: boolean
}

export function TooLate({ late, assessmentId, isShared }: Props) {
  const why = text(isShared ? 'grading.undo.finalOrShared' : 'grading.undo.final')
  const next = text(isReviewer() ? 'grading.undo.reviewer' : 'grading.undo.instead')
  useEffect(() => {
    announce(`${why} ${next}`)
    // The screen can be scrolled to its rubric, and the message is above it.
    scrollTo(0, 0)
  }, [late])
  return (
    <div class="note warn grading-late">
      <Icon name="warning" />
      <div>
        <p>{why}</p>
        <p>{next}</p>
        {!isReviewer() && (
          <p>
            {late.sessionId ? (
              <a class="button small" href={to(`/candidates/${late.sessionId}`)}>
                {text('grading.undo.candidate')}
              </a>
            ) : (
              // Grading is blind, so the page does not know the candidate. The last change is first.
              <a class="button small" href={to(`/assessments/${assessmentId}/candidates`, { sort: '-updatedAt' })}>
                {text('grading.undo.candidates')}
              </a>
            )}
          </p>
        )}
      </div>
    </div>
  )
}
