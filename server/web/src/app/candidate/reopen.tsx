// The form that lets a candidate go on after the end.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1 } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { Form, SelectField, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { forget, useQuery } from '../core/query.ts'
import type { DialogProps } from './dialogs.tsx'

const maxMinutes = 10_080

export function ReopenDialog({ session, done, close }: DialogProps) {
  const { id, candidateName, updatedAt } = session
  const result = useQuery(`/v1/candidate-sessions/${id}/result ${updatedAt}`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}/result', { params: { path: { id } } })),
  )
  const [minutes, setMinutes] = useState('15')
  const [stageId, setStageId] = useState('')
  const [reason, setReason] = useState('')
  const count = Number(minutes)
  const isValid = Number.isInteger(count) && count >= 1 && count <= maxMinutes
  const check = (): Record<string, string> => ({
    ...(isValid ? {} : { '/minutes': text('candidate.reopen.range', { max: maxMinutes }) }),
    ...(isBlank(reason) ? { '/reason': text('field.required') } : {}),
  })
  const send = () =>
    ask(
      v1.POST('/v1/candidate-sessions/{id}/reopen', {
        params: { path: { id } },
        body: { minutes: count, reason: reason.trim(), ...(stageId ? { stageId } : {}) },
      }),
    )
  // The server permits the last stage that has ended and the stage after it.
  const stages = result.data?.stages ?? []
  const last = stages.filter(({ status }) => status !== 'NOT_REACHED').length - 1
  const possible = stages.slice(Math.max(0, last), last + 2)
  return (
    <Dialog title={text('candidate.reopen.title', { name: candidateName })} close={close}>
      <p>{text('candidate.reopen.text')}</p>
      <p>{text('candidate.reopen.tell')}</p>
      <Form
        draft="reopen"
        label={text('candidate.reopen.submit')}
        check={check}
        send={send}
        done={(changed) => {
          forget('/v1/')
          done(changed)
          notify(text('candidate.reopen.done', { count }))
          close()
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      >
        <SelectField
          label={text('candidate.reopen.stage')}
          pointer="/stageId"
          value={stageId}
          change={setStageId}
          options={[
            { value: '', label: text('candidate.reopen.automatic') },
            ...possible.map((stage) => ({ value: stage.id, label: stage.title })),
          ]}
        />
        <TextField
          label={text('candidate.extend.minutes')}
          hint={text('candidate.reopen.minutes')}
          pointer="/minutes"
          type="number"
          value={minutes}
          change={setMinutes}
        />
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
