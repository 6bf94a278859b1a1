// The question before answers that were late are scored.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { Form, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'

interface Props {
  id: string
  done(session: Schemas['CandidateSession']): void
  close(): void
}

export function CountDialog({ id, done, close }: Props) {
  const [reason, setReason] = useState('')
  return (
    <Dialog title={text('candidate.late.question')} close={close}>
      <p class="muted">{text('candidate.late.effect')}</p>
      <Form
        draft="count"
        label={text('candidate.late.count')}
        check={(): Record<string, string> => (isBlank(reason) ? { '/reason': text('field.required') } : {})}
        send={() =>
          ask(
            v1.POST('/v1/candidate-sessions/{id}/late-answers/count', {
              params: { path: { id } },
              body: { reason: reason.trim() },
            }),
          )
        }
        done={(session) => {
          forget('/v1/')
          done(session)
          notify(text('candidate.late.done'))
          close()
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      >
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
