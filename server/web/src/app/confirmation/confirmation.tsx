// Asks a person to confirm their address. Until then, the organization cannot send email.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { Note } from '../../shared/parts.tsx'
import { ask, v1 } from '../core/api.ts'
import { me } from '../core/me.ts'
import { messageOf } from '../core/states.tsx'

export function ConfirmEmail() {
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    if (isBusy) return
    setBusy(true)
    const answer = await ask(v1.POST('/v1/me/email-confirmation'))
    setBusy(false)
    setSaid(answer.ok ? text('confirmation.sent') : messageOf(answer.fault))
  }
  return (
    <Note icon="warning" kind="warn">
      <p>
        {rich('confirmation.text', { email: <b translate={false}>{me.value?.email}</b> })}
      </p>
      <p style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 'var(--s2) var(--s3)' }}>
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void send()}>
          {text('confirmation.send')}
        </button>
        <span role="status">{said}</span>
      </p>
    </Note>
  )
}
