// Which assessments a member sees: all, or only some.

import { useContext, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, cursorOf, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { Errors, Form } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { useQuery } from '../core/query.ts'
import { FaultNote } from '../core/states.tsx'
import type { LimitedRole } from './role_name.ts'

/** The assessments of a choice. Null for all. */
export type Seen = string[] | null

interface ChoiceProps {
  seen: Seen
  role: LimitedRole
  change(seen: Seen): void
}

/** The most that the contract permits. */
const most = 50
const limit = 100

export function AccessChoice({ seen, role, change }: ChoiceProps) {
  const [typed, setTyped] = useState('')
  const errors = useContext(Errors)
  // Somebody who is limited to no assessment sees nothing.
  const error = seen?.length === 0 ? errors['/assessmentIds'] : undefined
  const q = typed.trim()
  const query = { limit, sort: 'title' as const, ...(q && { q }) }
  const found = useQuery(seen ? `/v1/assessments?access=${q}` : undefined, () => ask(v1.GET('/v1/assessments', { params: { query } })))
  const rows = found.data ?? []
  const others = (seen ?? []).filter((id) => !rows.some((row) => row.id === id))
  const toggle = (id: string) =>
    change(seen!.includes(id) ? seen!.filter((one) => one !== id) : [...seen!, id].slice(0, most))
  return (
    <fieldset class="members-choice members-access">
      <legend>{text('members.access')}</legend>
      {role === 'REVIEWER' && <p class="hint members-judges">{text('members.access.judges')}</p>}
      {(role === 'REVIEWER' ? [] : ([null, []] as const)).map((value) => (
        <label key={String(value)} class="tick">
          <input
            type="radio"
            name="access"
            checked={(seen === null) === (value === null)}
            onChange={() => change(value && [])}
          />
          <span>
            {text(value ? 'members.access.some' : 'members.access.all')}
            <span class="hint">{text(value ? 'members.access.some.text' : 'members.access.all.text')}</span>
          </span>
        </label>
      ))}
      {seen && (
        <div class="members-seen">
          {(rows.length > 8 || typed) && (
            <input
              type="search"
              class="field small"
              aria-label={text('members.access.search')}
              placeholder={text('members.access.search')}
              maxLength={200}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          {found.fault && <FaultNote fault={found.fault} retry={found.reload} />}
          <div class="members-options" role="group" aria-label={text('members.access.some')}>
            {rows.map((row) => (
              <Tick key={row.id} title={row.title} isChosen={seen.includes(row.id)} toggle={() => toggle(row.id)} />
            ))}
            {found.data && others.map((id) => <Other key={id} id={id} toggle={() => toggle(id)} />)}
          </div>
          {found.data && rows.length === 0 && <p class="muted small">{text('members.access.none')}</p>}
          {found.response && cursorOf(found.response) && <p class="muted small">{text('members.access.more')}</p>}
          {error && (
            <p class="error" role="alert">
              {error}
            </p>
          )}
          <p class="muted small" role="status">
            {seen.length === most ? text('members.access.most') : text('members.access.count', { count: seen.length })}
          </p>
        </div>
      )}
    </fieldset>
  )
}

interface TickProps {
  title: string
  isChosen: boolean
  toggle(): void
}

function Tick({ title, isChosen, toggle }: TickProps) {
  return (
    <label class="tick">
      <input type="checkbox" name="assessment" checked={isChosen} onChange={toggle} />
      <span translate={false}>{title || text('members.access.untitled')}</span>
    </label>
  )
}

/** Other is a chosen assessment that is not on the page of the list. */
function Other({ id, toggle }: { id: string; toggle(): void }) {
  const found = useQuery(`/v1/assessments/${id} title`, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id } } })),
  )
  return <Tick title={found.data?.title ?? id} isChosen toggle={toggle} />
}

interface DialogProps {
  member: Schemas['Member']
  /** The role after the change. */
  role: LimitedRole
  close(): void
  done(): void
}

/** AccessDialog changes what a member sees, and makes the member a REVIEWER, which needs a choice. */
export function AccessDialog({ member, role, close, done }: DialogProps) {
  const [seen, setSeen] = useState<Seen>(role === 'REVIEWER' ? (member.assessmentIds ?? []) : member.assessmentIds)
  const { id, name } = member
  const send = () =>
    ask(v1.PATCH('/v1/members/{id}', { params: { path: { id } }, body: { role, assessmentIds: seen } }))
  const title = role === 'REVIEWER' ? 'members.access.judges.title' : 'members.access.title'
  return (
    <Dialog title={text(title, { name })} close={close}>
      <Form<Schemas['Member']>
        draft={undefined}
        label={text('members.access.save')}
        check={(): Record<string, string> => (seen?.length === 0 ? { '/assessmentIds': text('members.access.choose') } : {})}
        send={send}
        done={(changed) => {
          notify(sees(changed))
          done()
          close()
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      >
        <AccessChoice seen={seen} role={role} change={setSeen} />
      </Form>
    </Dialog>
  )
}

function sees({ name, assessmentIds }: Schemas['Member']): string {
  if (!assessmentIds) return text('members.access.seesAll', { name })
  return text('members.access.sees', { name, count: assessmentIds.length })
}
