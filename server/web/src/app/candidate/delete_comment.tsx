// The questions before a comment or the old note is deleted.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { notify } from '../core/notices.tsx'

interface CommentProps {
  path: { id: string; commentId: string }
  /** Who has written the comment. */
  name: string
  done(): void
  close(): void
}

export function DeleteComment({ path, name, done, close }: CommentProps) {
  const act = async (): Promise<Fault | undefined> => {
    const answer = await ask(v1.DELETE('/v1/candidate-sessions/{id}/review/comments/{commentId}', { params: { path } }))
    if (!answer.ok) return answer.fault
    done()
    return undefined
  }
  return (
    <Confirm
      title={text('candidate.comments.deleteTitle')}
      label={text('candidate.comments.delete')}
      isDanger
      close={close}
      act={act}
    >
      <p>{text('candidate.comments.deleteText', { name })}</p>
    </Confirm>
  )
}

interface NoteProps {
  id: string
  done(session: Schemas['CandidateSession']): void
  close(): void
}

export function DeleteNote({ id, done, close }: NoteProps) {
  const act = async (): Promise<Fault | undefined> => {
    const answer = await ask(v1.PATCH('/v1/candidate-sessions/{id}', { params: { path: { id } }, body: { note: null } }))
    if (!answer.ok) return answer.fault
    done(answer.data)
    notify(text('candidate.comments.deleted'))
    return undefined
  }
  return (
    <Confirm
      title={text('candidate.comments.deleteNote')}
      label={text('candidate.comments.delete')}
      isDanger
      close={close}
      act={act}
    >
      <p>{text('candidate.comments.deleteNoteText')}</p>
    </Confirm>
  )
}
