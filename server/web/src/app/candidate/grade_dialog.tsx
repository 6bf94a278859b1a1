// The form with which a person changes the points of an answer.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { number } from '../core/figures.ts'
import { CheckField, Form, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'
import type { Grade } from './decisions.ts'

export interface GradeProps {
  sessionId: string
  question: Schemas['ResultQuestion']
  /** The newest grade of the question. */
  grade: Grade | undefined
  changed(): void
}

export function GradeDialog({
  sessionId,
  question,
  grade,
  changed,
  canWithdraw,
  close,
}: GradeProps & { canWithdraw: boolean; close(): void }) {
  const { id: questionId, maxPoints } = question
  const [points, setPoints] = useState(String(question.points))
  const [reason, setReason] = useState('')
  const [isWithdrawal, setWithdrawal] = useState(false)
  // The grade that the person has seen, also after the screen behind the form shows a newer grade.
  const [version] = useState(grade?.version ?? 0)
  const given = Number(points.replace(',', '.'))
  const isValid = !isBlank(points) && given >= 0 && given <= maxPoints
  const check = (): Record<string, string> => ({
    ...(isWithdrawal || isValid ? {} : { '/points': text('candidate.grade.range', { max: number(maxPoints, 2) }) }),
    ...(isBlank(reason) ? { '/reason': text('field.required') } : {}),
  })
  const send = () =>
    ask(
      v1.PUT('/v1/candidate-sessions/{id}/grades/{questionId}', {
        params: { path: { id: sessionId, questionId } },
        body: { points: isWithdrawal ? null : given, reason: reason.trim(), version },
      }),
    )
  return (
    <Dialog title={text('candidate.grade.title', { number: question.order })} close={close}>
      <p class="muted">{text('candidate.grade.text')}</p>
      <Form
        draft={`grade ${questionId}`}
        label={text(isWithdrawal ? 'candidate.grade.withdraw' : 'candidate.grade.submit')}
        check={check}
        send={send}
        refused={({ status }) => {
          if (status === 412) changed()
          return false
        }}
        done={() => {
          forget('/v1/')
          notify(text('candidate.grade.done'))
          close()
          changed()
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      >
        {!isWithdrawal && (
          <TextField
            label={text('candidate.grade.points')}
            hint={text('candidate.grade.range', { max: number(maxPoints, 2) })}
            pointer="/points"
            value={points}
            change={setPoints}
          />
        )}
        {canWithdraw && (
          <CheckField label={text('candidate.grade.byKey')} isChecked={isWithdrawal} change={setWithdrawal} />
        )}
        <TextField
          label={text('candidate.extend.reason')}
          hint={text('candidate.grade.hint')}
          pointer="/reason"
          maxLength={500}
          value={reason}
          change={setReason}
        />
      </Form>
    </Dialog>
  )
}
