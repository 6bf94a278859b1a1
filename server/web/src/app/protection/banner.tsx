// Above each screen while the deletion of the organization is scheduled.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { When } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import { me } from '../core/me.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { messageOf } from '../core/states.tsx'
import { cancelDeletion } from './scheduled.ts'

export function DeletionBanner() {
  const { name, deletion } = me.value!.organization
  const [isBusy, setBusy] = useState(false)
  if (!deletion) return null
  const cancel = async () => {
    setBusy(true)
    const answer = await cancelDeletion()
    setBusy(false)
    notify(answer.ok ? text('deletion.cancelled') : messageOf(answer.fault))
  }
  return (
    <aside class="note warn protection-banner" aria-label={text('deletion.banner.label')}>
      <Icon name="warning" />
      <div>
        <p>{rich('deletion.banner', { name, when: <When at={deletion.deleteAt} /> })}</p>
        <Action isSmall isBusy={isBusy} reason={needs('OWNER')} act={() => void cancel()}>
          {text('deletion.cancel')}
        </Action>
      </div>
    </aside>
  )
}
