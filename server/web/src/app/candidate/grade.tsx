// The points of one answer: what decided about them.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import type { Grade } from './decisions.ts'
import { GradeDialog } from './lazy.ts'

export interface Props {
  sessionId: string
  question: Schemas['ResultQuestion']
  /** The newest grade of the question. */
  grade: Grade | undefined
  changed(): void
}

/** AnswerPoints says who decided about the points of an answer, and lets a person change them. */
export function AnswerPoints({ sessionId, question, grade, changed }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { scoredBy, maxPoints } = question
  const isGraded = scoredBy === 'PERSON' && grade !== undefined
  return (
    <div class="answer-points small">
      {isGraded && (
        <p>
          {rich('candidate.grade.by', { name: grade.createdBy.name ?? '–', when: <When at={grade.createdAt} isRelative /> })}
          {grade.reason && ` ${text('candidate.timeline.reason', { reason: grade.reason })}`}
        </p>
      )}
      {scoredBy === 'CORRECTION' && <p>{text('candidate.grade.corrected')}</p>}
      {scoredBy === 'EXCLUSION' && <p>{text('candidate.grade.excluded')}</p>}
      {maxPoints > 0 && (
        <button type="button" class="link-button no-print" onClick={() => setOpen(true)}>
          {text('candidate.grade.change')}
        </button>
      )}
      {isOpen && (
        <GradeDialog
          sessionId={sessionId}
          question={question}
          grade={grade}
          changed={changed}
          canWithdraw={isGraded}
          close={() => setOpen(false)}
        />
      )}
    </div>
  )
}
