// The form with which a person grades an answer, or changes its points.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { pointsOf as ofPoints } from '../core/verdict.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { number } from '../core/figures.ts'
import { CheckField, Form, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'
import { Conflict } from './conflict.tsx'
import { hasChoices, isTyped, marksOf, pointsOf, sumOf, whole, type Marks } from './marks.ts'
import { PointsField } from './points_field.tsx'

export interface GradeProps {
  sessionId: string
  question: Schemas['ResultQuestion']
  /** The question with its rubric, once it is loaded. */
  fullKey: Schemas['Question'] | undefined
  /** The newest grade of the question. */
  grade: Schemas['AnswerGrade'] | undefined
  /** Reads the session and its grades again. */
  changed(): void
}

interface FormProps extends GradeProps {
  canWithdraw: boolean
  done(): void
  /** Further buttons. */
  actions?: ComponentChildren
}

const keyLabels = {
  save: 'candidate.grade.submit',
  done: 'candidate.grade.done',
  take: 'candidate.grade.byKey',
  withdraw: 'candidate.grade.withdraw',
} as const
const textLabels = {
  save: 'decision.grade.save',
  done: 'decision.grade.done',
  take: 'decision.grade.take',
  withdraw: 'decision.grade.withdraw',
} as const

export function GradeForm({ sessionId, question, fullKey, grade, changed, canWithdraw, done, actions }: FormProps) {
  const { id: questionId, maxPoints, type, points: present } = question
  const isText = type === 'FREE_TEXT'
  const criteria = isText && fullKey?.rubric?.length ? fullKey.rubric : [whole(maxPoints)]
  const hasRubric = criteria[0]!.id !== ''
  // The grade that the person has seen, also after the screen behind the form shows a newer grade.
  const [version, setVersion] = useState(grade?.version ?? 0)
  const [marks, setMarks] = useState<Marks>(() => marksOf(criteria, isText ? grade : { points: present, rubric: null }))
  const [areTyped, setTyped] = useState(() => !isText || Object.values(marks).some(isTyped))
  const [comment, setComment] = useState(grade?.comment ?? '')
  const [reason, setReason] = useState('')
  const [isWithdrawal, setWithdrawal] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const newer = isRefused && grade && grade.version > version ? grade : undefined
  // The first grade of a text needs no reason: nothing else decides about its points.
  const needsReason = !isText || version > 0
  const pointer = (i: number) => (hasRubric ? `/rubric/${i}/points` : '/points')
  const check = (): Record<string, string> => {
    const faults = isWithdrawal ? [] : criteria.flatMap((criterion, i): [string, string][] => {
      const isValid = pointsOf(marks[criterion.id], criterion) !== undefined
      return isValid ? [] : [[pointer(i), text('candidate.grade.range', { max: number(criterion.points, 2) })]]
    })
    if (needsReason && isBlank(reason)) faults.push(['/reason', text('field.required')])
    return Object.fromEntries(faults)
  }
  const sum = sumOf(criteria, marks)
  const labels = isText ? textLabels : keyLabels
  const send = () =>
    ask(
      v1.PUT('/v1/candidate-sessions/{id}/grades/{questionId}', {
        params: { path: { id: sessionId, questionId } },
        body: {
          points: isWithdrawal ? null : sum,
          ...(hasRubric && !isWithdrawal && {
            rubric: criteria.map((one) => ({ id: one.id, points: pointsOf(marks[one.id], one)! })),
          }),
          ...(isText && { comment: isBlank(comment) ? null : comment.trim() }),
          ...(needsReason && { reason: reason.trim() }),
          version,
        },
      }),
    )
  return (
    <Form
      draft={`grade ${questionId}`}
      label={text(isWithdrawal ? labels.withdraw : labels.save)}
      check={check}
      send={send}
      refused={({ status }) => {
        if (status !== 412) return false
        setRefused(true)
        changed()
        return false
      }}
      done={() => {
        forget('/v1/')
        notify(text(labels.done))
        done()
        changed()
      }}
      actions={actions}
    >
      {newer && (
        <Conflict
          criteria={criteria}
          own={{ marks, sum, comment }}
          grade={newer}
          keepOwn={() => {
            setVersion(newer.version)
            setRefused(false)
          }}
          keepOther={done}
        />
      )}
      {!isWithdrawal &&
        criteria.map((criterion, i) => (
          <PointsField
            key={criterion.id}
            criterion={criterion}
            pointer={pointer(i)}
            mark={marks[criterion.id] ?? ''}
            change={(mark) => setMarks((before) => ({ ...before, [criterion.id]: mark }))}
            isTyped={areTyped}
          />
        ))}
      {!isWithdrawal && isText && (
        <p class="grade-sum">
          <b>{ofPoints(sum, maxPoints)}</b>
          {criteria.some(hasChoices) && !Object.values(marks).some(isTyped) && (
            <button type="button" class="link-button small" onClick={() => setTyped(!areTyped)}>
              {text(areTyped ? 'decision.grade.choose' : 'decision.grade.type')}
            </button>
          )}
        </p>
      )}
      {canWithdraw && (
        <CheckField
          label={text(labels.take)}
          isChecked={isWithdrawal}
          change={setWithdrawal}
        />
      )}
      {isText && !isWithdrawal && (
        <TextField
          label={text('decision.grade.comment')}
          hint={text('decision.grade.commentHint')}
          pointer="/comment"
          isOptional
          rows={2}
          maxLength={2000}
          value={comment}
          change={setComment}
        />
      )}
      {needsReason && (
        <TextField
          label={text('candidate.extend.reason')}
          hint={text('candidate.grade.hint')}
          pointer="/reason"
          maxLength={500}
          value={reason}
          change={setReason}
        />
      )}
    </Form>
  )
}
