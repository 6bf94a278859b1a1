// The recovery codes with which an OWNER enters if the provider is unavailable.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { Confirm, Dialog } from '../core/dialogs.tsx'
import { me } from '../core/me.ts'
import { Action } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { addStyles } from '../core/styles.ts'
import { Codes } from '../second_factor/codes.tsx'
import styles from '../second_factor/second_factor.css?text'

export function Emergency({ left, changed }: { left: number; changed(): void }) {
  addStyles(styles)
  const [isAsking, setAsking] = useState(false)
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
      <p>{text('companySignIn.codes.left', { count: left })}</p>
      <div class="go">
        <Action isSmall reason={needs('OWNER')} act={() => (left > 0 ? setAsking(true) : void create())}>
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
