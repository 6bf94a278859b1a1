// The points of one answer: what decided about them.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { When } from '../core/formats.tsx'
import type { GradeProps } from './grade_dialog.tsx'
import { GradeDialog } from './lazy_dialogs.ts'

/** AnswerPoints says who decided about the points of an answer, and lets a person change them. */
export function AnswerPoints({ sessionId, question, grade, changed }: GradeProps) {
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
