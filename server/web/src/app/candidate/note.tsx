// The note of the organization, which the candidate does not see.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Form, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'

type Session = Schemas['CandidateSession']

export function NoteCard({ session, done }: { session: Session; done(session: Session): void }) {
  const { id, note } = session
  const [isOpen, setOpen] = useState(false)
  const [value, setValue] = useState('')
  const edit = () => {
    setValue(note ?? '')
    setOpen(true)
  }
  const send = () =>
    ask(v1.PATCH('/v1/candidate-sessions/{id}', { params: { path: { id } }, body: { note: value.trim() || null } }))
  return (
    <section class="card no-print">
      <div class="card-head">
        <h2>{text('candidate.note.title')}</h2>
        {!isOpen && (
          <button type="button" class="link-button small" onClick={edit}>
            {text(note ? 'candidate.note.edit' : 'candidate.note.add')}
          </button>
        )}
      </div>
      {isOpen ? (
        <Form
          label={text('candidate.note.save')}
          send={send}
          done={(changed) => {
            done(changed)
            setOpen(false)
            notify(text('candidate.note.saved'))
          }}
          actions={
            <button type="button" class="button" onClick={() => setOpen(false)}>
              {text('dialog.cancel')}
            </button>
          }
        >
          <TextField
            label={text('candidate.note.label')}
            pointer="/note"
            rows={4}
            maxLength={2000}
            value={value}
            change={setValue}
          />
        </Form>
      ) : (
        <p class={note ? 'note-text' : 'muted small'}>{note ?? text('candidate.note.empty')}</p>
      )}
    </section>
  )
}
