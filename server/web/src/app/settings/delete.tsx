// The only person of an organization without candidates can delete it.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { TextField } from '../core/forms.tsx'
import { needs } from '../core/roles.ts'
import { leave } from '../core/session.ts'
import type { Organization, SectionProps } from './section.tsx'

export function Delete({ organization }: SectionProps) {
  const [isOpen, setOpen] = useState(false)
  const reason = needs('OWNER')
  return (
    <>
      <p class="settings-lead muted">{text('settings.delete.text')}</p>
      {reason ? (
        <p class="hint">{reason}</p>
      ) : (
        <p>
          <button type="button" class="button danger" onClick={() => setOpen(true)}>
            {text('settings.delete.open')}
          </button>
        </p>
      )}
      {isOpen && <Question organization={organization} close={() => setOpen(false)} />}
    </>
  )
}

function Question({ organization, close }: { organization: Organization; close(): void }) {
  const [typed, setTyped] = useState('')
  const act = async (): Promise<Fault | undefined> => {
    if (typed.trim() !== organization.name.trim()) {
      return { status: 400, problem: { code: 'invalid_request', detail: text('settings.delete.wrong'), errors: [] } }
    }
    const answer = await ask(v1.DELETE('/v1/organization'))
    if (!answer.ok) return answer.fault
    leave()
    return undefined
  }
  return (
    <Confirm title={text('settings.delete.title')} label={text('settings.delete.confirm')} isDanger act={act} close={close}>
      <p>{text('settings.delete.ask')}</p>
      <p>{rich('settings.delete.name', { name: <b translate={false}>{organization.name}</b> })}</p>
      <TextField
        label={text('settings.delete.label')}
        pointer="/confirmation"
        value={typed}
        change={setTyped}
      />
    </Confirm>
  )
}
