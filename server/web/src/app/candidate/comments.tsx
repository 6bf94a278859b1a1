// The comments of the team, newest first. The note comes last, because it is older than all comments.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import { Form, TextField } from '../core/forms.tsx'
import { Menu } from '../core/menu.tsx'
import { notify } from '../core/notices.tsx'
import { needs } from '../core/roles.ts'
import { me } from '../core/me.ts'
import { DeleteComment, DeleteNote, EditComment } from './lazy_dialogs.ts'

type Comment = Schemas['ReviewComment']
type Session = Schemas['CandidateSession']

interface Props {
  session: Session
  comments: Comment[]
  reload(): void
  /** Takes the session after its note was deleted. */
  done(session: Session): void
}

export function Comments({ session, comments, reload, done }: Props) {
  const { id, note, erasedAt } = session
  const isEmpty = comments.length === 0 && !note
  return (
    <div class="comments">
      <h3>{text('candidate.comments.title')}</h3>
      {!erasedAt && <Add id={id} done={reload} />}
      {isEmpty ? (
        <p class="muted small">{text('candidate.comments.empty')}</p>
      ) : (
        <ol>
          {comments.map((comment) => (
            <One key={comment.id} id={id} comment={comment} isErased={erasedAt !== null} reload={reload} />
          ))}
          {note && <Note session={session} note={note} done={done} />}
        </ol>
      )}
    </div>
  )
}

function Add({ id, done }: { id: string; done(): void }) {
  const [value, setValue] = useState('')
  return (
    <Form
      draft="comment"
      label={text('candidate.comments.add')}
      check={() => (isBlank(value) ? { '/text': text('field.required') } : ({} as Record<string, string>))}
      send={(key) =>
        ask(
          v1.POST('/v1/candidate-sessions/{id}/review/comments', {
            params: { path: { id }, header: { 'Idempotency-Key': key } },
            body: { text: value.trim() },
          }),
        )
      }
      done={() => {
        setValue('')
        notify(text('candidate.comments.added'))
        done()
      }}
    >
      <TextField
        label={text('candidate.comments.label')}
        pointer="/text"
        rows={3}
        maxLength={4000}
        value={value}
        change={setValue}
      />
    </Form>
  )
}

interface OneProps {
  id: string
  comment: Comment
  isErased: boolean
  reload(): void
}

function One({ id, comment, isErased, reload }: OneProps) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const path = { id, commentId: comment.id }
  const isOwn = comment.createdBy.id === me.value?.id
  const close = () => setOpen(undefined)
  const finish = (key: 'candidate.comments.saved' | 'candidate.comments.deleted') => {
    close()
    notify(text(key))
    reload()
  }
  const items = [
    ...(isOwn && !isErased ? [{ label: text('candidate.comments.edit'), act: () => setOpen('edit') }] : []),
    ...(isOwn || !needs('ADMIN')
      ? [{ label: text('candidate.comments.delete'), act: () => setOpen('delete'), isDanger: true }]
      : []),
  ]
  const name = comment.createdBy.name ?? text('candidate.review.somebody')
  return (
    <li>
      <div class="comment-head">
        <p class="small">
          <b translate={false}>{name}</b>{' '}
          <span class="muted">
            <When at={comment.createdAt} isRelative />
            {comment.editedAt && ` · ${text('candidate.comments.edited')}`}
          </span>
        </p>
        {items.length > 0 && !open && <Menu label={text('candidate.comments.more', { name })} items={items} isSmall />}
      </div>
      {open === 'edit' ? (
        <EditComment path={path} comment={comment} done={() => finish('candidate.comments.saved')} close={close} />
      ) : (
        <p class={comment.text ? 'note-text' : 'muted small'} translate={false}>
          {comment.text || text('candidate.comments.erased')}
        </p>
      )}
      {open === 'delete' && (
        <DeleteComment path={path} name={name} done={() => finish('candidate.comments.deleted')} close={close} />
      )}
    </li>
  )
}

/** Note is a text that all members shared before there were comments. It can only be deleted. */
function Note({ session, note, done }: { session: Session; note: string; done(session: Session): void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <div class="comment-head">
        <p class="small">
          <b>{text('candidate.comments.note')}</b>
        </p>
        <Menu
          label={text('candidate.comments.more', { name: text('candidate.comments.note') })}
          items={[{ label: text('candidate.comments.delete'), act: () => setOpen(true), isDanger: true }]}
          isSmall
        />
      </div>
      <p class="note-text" translate={false}>
        {note}
      </p>
      {isOpen && <DeleteNote id={session.id} done={done} close={() => setOpen(false)} />}
    </li>
  )
}
