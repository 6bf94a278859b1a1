// The recovery codes with which an OWNER enters if the provider is unavailable.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Note } from '../../shared/parts.tsx'
import { ask, v1, type Fault } from '../core/api.ts'
import { Confirm, Dialog } from '../core/dialogs.tsx'
import { me } from '../core/me.ts'
import { Action } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { FaultNote } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import { Codes } from '../second_factor/codes.tsx'
import styles from '../second_factor/second_factor.css?text'

/** With fewer codes, the screen asks for new ones. */
const few = 3

interface Props {
  left: number
  /** Whether only the codes let an OWNER enter without the provider. */
  isRequired: boolean
  changed(): void
}

export function Emergency({ left, isRequired, changed }: Props) {
  addStyles(styles)
  const [isAsking, setAsking] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [codes, setCodes] = useState<string[]>()
  const create = async () => {
    const answer = await ask(v1.POST('/v1/organization/sign-in-recovery-codes'))
    if (!answer.ok) return answer.fault
    setCodes(answer.data.codes)
    changed()
    return undefined
  }
  return (
    <>
      <div class="company-sign-in-codes">
        {isRequired && left < few && (
          <Note icon="warning" kind="warn">
            {text('companySignIn.codes.few')}
          </Note>
        )}
        <p>{left === 0 ? text('companySignIn.codes.none') : text('companySignIn.codes.left', { count: left })}</p>
        {fault && <FaultNote fault={fault} />}
        <Action
          isSmall
          reason={needs('OWNER')}
          act={() => (left > 0 ? setAsking(true) : void create().then(setFault))}
        >
          {text('companySignIn.codes.create')}
        </Action>
      </div>
      {isAsking && (
        <Confirm
          title={text('companySignIn.codes.create')}
          label={text('companySignIn.codes.create')}
          act={create}
          close={() => setAsking(false)}
        >
          <p>{text('companySignIn.codes.replace')}</p>
        </Confirm>
      )}
      {codes && (
        <Dialog title={text('companySignIn.emergency')}>
          <Codes
            codes={codes}
            lead={text('companySignIn.codes.text')}
            head={text('companySignIn.codes.file', { organization: me.value!.organization.name })}
            done={() => setCodes(undefined)}
          />
        </Dialog>
      )}
    </>
  )
}
