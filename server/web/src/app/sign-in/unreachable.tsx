// What a person sees while the server cannot be reached.
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { start } from '../core/session.ts'
import { Sheet } from './sheet.tsx'

/** Unreachable is shown when the page cannot find out whether there is a sign-in. */
export function Unreachable() {
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    if (isBusy) return
    setBusy(true)
    await start()
    setBusy(false)
  }
  useEffect(() => {
    const timer = setInterval(() => void retry(), 10_000)
    addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      removeEventListener('online', retry)
    }
  })
  return (
    <Sheet title={text('page.unreachable.title')} lead={text('page.unreachable.again')}>
      <div class="go">
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void retry()}>
          {text(isBusy ? 'page.unreachable.busy' : 'fault.retry')}
        </button>
      </div>
    </Sheet>
  )
}
