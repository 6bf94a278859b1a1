// The points of one answer: what decided about them.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import type { GradeProps } from '../decision/grade_form.tsx'
import type { Grade } from './decisions.ts'
import { GradeDialog } from './lazy_dialogs.ts'

/** AnswerPoints says who decided about the points of an answer, and lets a person change them. */
export function AnswerPoints({ sessionId, question, fullKey, grade, changed }: GradeProps) {
  const [isOpen, setOpen] = useState(false)
  const { scoredBy, maxPoints } = question
  const isGraded = scoredBy === 'PERSON' && grade !== undefined
  const isText = question.type === 'FREE_TEXT'
  return (
    <div class="answer-points small">
      {isGraded && (
        <p>
          {rich(isText ? 'candidate.grade.textBy' : 'candidate.grade.by', { name: grade.createdBy.name ?? '–', when: <When at={grade.createdAt} isRelative /> })}
          {grade.reason && ` ${text('candidate.timeline.reason', { reason: grade.reason })}`}
          {grade.rubric && <Criteria grade={grade} rubric={fullKey?.rubric} />}
          {grade.comment && <span class="block" dir="auto" translate={false}>{grade.comment}</span>}
        </p>
      )}
      {scoredBy === 'CORRECTION' && <p>{text('candidate.grade.corrected')}</p>}
      {scoredBy === 'EXCLUSION' && <p>{text('candidate.grade.excluded')}</p>}
      {maxPoints > 0 && (
        <button type="button" class="link-button no-print" onClick={() => setOpen(true)}>
          {text(isText && !isGraded ? 'candidate.grade.give' : 'candidate.grade.change')}
        </button>
      )}
      {isOpen && (
        <GradeDialog
          sessionId={sessionId}
          question={question}
          fullKey={fullKey}
          grade={grade}
          changed={changed}
          canWithdraw={isGraded}
          close={() => setOpen(false)}
        />
      )}
    </div>
  )
}

/** Criteria says which points the answer got for each criterion of the rubric. */
function Criteria({ grade, rubric }: { grade: Grade; rubric: Schemas['Criterion'][] | null | undefined }) {
  const titleOf = (id: string) => rubric?.find((one) => one.id === id)?.title ?? id
  return <span class="block">{grade.rubric!.map(({ id, points }) => `${titleOf(id)}: ${number(points, 2)}`).join(' · ')}</span>
}
