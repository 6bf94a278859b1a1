// The form that changes a comment in its place.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Form, TextField } from '../core/forms.tsx'

interface Props {
  path: { id: string; commentId: string }
  comment: Schemas['ReviewComment']
  done(): void
  close(): void
}

export function EditComment({ path, comment, done, close }: Props) {
  const [value, setValue] = useState(comment.text)
  return (
    <Form
      draft={`comment ${comment.id}`}
      label={text('candidate.comments.save')}
      check={() => (isBlank(value) ? { '/text': text('field.required') } : ({} as Record<string, string>))}
      send={() =>
        ask(
          v1.PATCH('/v1/candidate-sessions/{id}/review/comments/{commentId}', {
            params: { path },
            body: { text: value.trim() },
          }),
        )
      }
      done={done}
      actions={
        <button type="button" class="button" onClick={close}>
          {text('dialog.cancel')}
        </button>
      }
    >
      <TextField
        label={text('candidate.comments.edit')}
        pointer="/text"
        rows={3}
        maxLength={4000}
        value={value}
        change={setValue}
      />
    </Form>
  )
}
