// Deleting an organization with candidates: it is scheduled, so that it can be cancelled.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { plain } from '../../shared/text.ts'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { TextField } from '../core/forms.tsx'
import { When } from '../core/formats.tsx'
import { me } from '../core/me.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { leave } from '../core/session.ts'
import { Loaded, messageOf } from '../core/states.tsx'
import { cancelDeletion, scheduleDeletion } from './scheduled.ts'

type Organization = Schemas['Organization']

export function Deletion() {
  const { organization } = me.value!
  const { deletion, usage } = organization
  const reason = needs('OWNER')
  const [isOpen, setOpen] = useState(false)
  const sessions = useQuery(reason ? undefined : '/v1/candidate-sessions?any', () =>
    ask(v1.GET('/v1/candidate-sessions', { params: { query: { limit: 1 } } })),
  )
  if (deletion) return <Scheduled deletion={deletion} />
  const open = (
    <p>
      <Action kind="danger" reason={reason} act={() => setOpen(true)}>
        {text('deletion.open')}
      </Action>
    </p>
  )
  if (reason) {
    return (
      <>
        <p class="settings-lead muted">{text('deletion.scheduled.lead')}</p>
        {open}
      </>
    )
  }
  return (
    <Loaded query={sessions}>
      {(found) => {
        const isEmpty = usage.members.used <= 1 && found.length === 0
        const Question = isEmpty ? DeleteNow : Schedule
        return (
          <>
            <p class="settings-lead muted">{text(isEmpty ? 'deletion.now.lead' : 'deletion.scheduled.lead')}</p>
            {open}
            {isOpen && <Question organization={organization} close={() => setOpen(false)} />}
          </>
        )
      }}
    </Loaded>
  )
}

function Scheduled({ deletion }: { deletion: NonNullable<Organization['deletion']> }) {
  const { requestedByName, requestedAt, deleteAt } = deletion
  const cancel = async () => {
    const answer = await cancelDeletion()
    notify(answer.ok ? text('deletion.cancelled') : messageOf(answer.fault))
  }
  return (
    <>
      <p>{rich('deletion.at', { when: <When at={deleteAt} /> })}</p>
      <p class="hint">{rich('deletion.by', { name: requestedByName, when: <When at={requestedAt} /> })}</p>
      <p class="go">
        <Action reason={needs('OWNER')} act={() => void cancel()}>
          {text('deletion.cancel')}
        </Action>
      </p>
    </>
  )
}

interface QuestionProps {
  organization: Organization
  close(): void
}

/** useTyped is the field for the name of the organization. `wrong` is the fault of another name. */
function useTyped(organization: Organization) {
  const [typed, setTyped] = useState('')
  const isSame = plain(typed) === plain(organization.name)
  const wrong: Fault = {
    status: 400,
    problem: { code: 'invalid_request', detail: text('deletion.wrong'), errors: [] },
  }
  const field = (
    <>
      <p>{rich('deletion.name', { name: <b translate={false}>{organization.name}</b> })}</p>
      <TextField label={text('deletion.label')} pointer="/confirmation" value={typed} change={setTyped} />
    </>
  )
  return { field, fault: isSame ? undefined : wrong }
}

/** DeleteNow deletes an organization that nobody else uses. */
function DeleteNow({ organization, close }: QuestionProps) {
  const { field, fault } = useTyped(organization)
  const act = async () => {
    if (fault) return fault
    const answer = await ask(v1.DELETE('/v1/organization'))
    if (!answer.ok) return answer.fault
    leave()
    return undefined
  }
  return (
    <Confirm title={text('deletion.now.title')} label={text('deletion.now.confirm')} isDanger act={act} close={close}>
      <p>{text('deletion.now.ask')}</p>
      {field}
    </Confirm>
  )
}

function Schedule({ organization, close }: QuestionProps) {
  const { field, fault } = useTyped(organization)
  const [at] = useState(() => new Date(Date.now() + days * 24 * 3_600_000).toISOString())
  const act = async () => {
    if (fault) return fault
    const answer = await scheduleDeletion(organization.name)
    if (!answer.ok) return answer.fault
    notify(text('deletion.scheduled'))
    return undefined
  }
  return (
    <Confirm
      title={text('deletion.schedule.title')}
      label={text('deletion.schedule.confirm')}
      isDanger
      act={act}
      close={close}
    >
      <p>{rich('deletion.schedule.what', { when: <When at={at} /> })}</p>
      <p>{text('deletion.schedule.until')}</p>
      <p>{text('deletion.schedule.cancel')}</p>
      {field}
    </Confirm>
  )
}

/** The server decides. This is what the question says before. */
const days = 30
