// The notice that saving does not work, and what the candidate can do.
import { useEffect } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../../shared/icons.tsx'
import { now } from '../clock.ts'
import { saveCopy } from '../copy.ts'
import { notKept } from '../database.ts'
import { offlineSince, recovered } from '../saving.ts'
import { locked } from '../session.ts'
import { deadline } from '../time.ts'

/** After this time offline, the candidate can save a copy, in milliseconds. */
const copyAfter = 120_000

/** Offline says that saving does not work, and later that everything is saved. */
export function Offline() {
  const since = offlineSince.value
  const isOffline = since !== undefined
  useEffect(() => {
    if (isOffline) announce(`${text('offline.title')}. ${text('offline.text')}`)
    else if (recovered.value) announce(text('offline.over'))
  }, [isOffline, recovered.value])
  if (!isOffline) return recovered.value ? <p class="notice good">{text('offline.over')}</p> : null
  const isLong = now.value > 0 && performance.now() - since >= copyAfter
  return (
    <section class="notice warn">
      <h2>
        <Icon name="cloudOff" />
        {text('offline.title')}
      </h2>
      {(notKept.value || !locked.value) && <p>{text(notKept.value ? 'offline.notKept' : 'offline.text')}</p>}
      {deadline.value !== undefined && !locked.value && <p>{text('offline.clock')}</p>}
      {(isLong || notKept.value) && (
        <p>
          <button type="button" class="button" onClick={saveCopy}>
            {text('offline.copy')}
          </button>
        </p>
      )}
    </section>
  )
}
