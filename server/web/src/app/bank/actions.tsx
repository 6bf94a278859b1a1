// What the list and the page of a question can do with it: archive, restore, and delete.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import type { MenuItem } from '../core/menu.tsx'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { messageOf } from '../core/states.tsx'
import { etagOf, type Base } from './base.ts'

/** What the list and the page both know of a question. */
export interface Known extends Pick<Schemas['BankQuestion'], 'id' | 'usedIn' | 'archivedAt'> {
  title: string
}

export type Asked = { kind: 'archive' | 'delete'; question: Known }

const changed = () => {
  forget('/v1/questions')
  forget('/v1/question-tags')
}

async function setArchived(id: string, archived: boolean) {
  const answer = await ask(v1.PATCH('/v1/questions/{id}', { params: { path: { id } }, body: { archived } }))
  if (answer.ok) changed()
  return answer
}

interface ItemsProps {
  question: Known
  ask(asked: Asked): void
  /** Called with the question after it was restored. */
  restored(base: Base): void
}

/** itemsOf are the entries of the menu of a question. */
export function itemsOf({ question, ask, restored }: ItemsProps): MenuItem[] {
  const reason = needs('EDITOR')
  const { usedIn } = question
  const restore = async () => {
    const answer = await setArchived(question.id, false)
    if (!answer.ok) return notify(messageOf(answer.fault))
    notify(text('bank.restored'))
    restored({ data: answer.data, etag: etagOf(answer.response) })
  }
  return [
    question.archivedAt === null
      ? { label: text('bank.archive'), act: () => ask({ kind: 'archive', question }), reason }
      : { label: text('bank.restore'), act: () => void restore(), reason },
    {
      label: text('bank.delete'),
      act: () => ask({ kind: 'delete', question }),
      reason: reason ?? (usedIn > 0 ? text('bank.delete.used', { count: usedIn }) : undefined),
      isDanger: true,
    },
  ]
}

interface DialogProps {
  asked: Asked
  archived(base: Base): void
  deleted(): void
  close(): void
}

/** AskDialog asks before a question is archived or deleted. */
export function AskDialog({ asked: { kind, question }, archived, deleted, close }: DialogProps) {
  const { id, title, usedIn } = question
  if (kind === 'archive') {
    const act = async () => {
      const answer = await setArchived(id, true)
      if (!answer.ok) return answer.fault
      notify(text('bank.archived'))
      archived({ data: answer.data, etag: etagOf(answer.response) })
      return undefined
    }
    return (
      <Confirm title={text('bank.archive.title')} label={text('bank.archive')} act={act} close={close}>
        <p translate={false}>
          <b>{title}</b>
        </p>
        <p>{text(usedIn > 0 ? 'bank.archive.used' : 'bank.archive.text', { count: usedIn })}</p>
      </Confirm>
    )
  }
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/questions/{id}', { params: { path: { id } } }))
    if (!answer.ok) return answer.fault
    changed()
    notify(text('bank.deleted'))
    deleted()
    return undefined
  }
  return (
    <Confirm title={text('bank.delete.title')} label={text('bank.delete')} isDanger act={act} close={close}>
      <p translate={false}>
        <b>{title}</b>
      </p>
      <p>{text('bank.delete.text')}</p>
    </Confirm>
  )
}
