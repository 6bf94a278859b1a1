// The way to the page of the organization, after the end.
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { rich, text } from '../../shared/i18n.tsx'
import { taking } from '../session.ts'
import { inTab, keepInTab } from '../tab.ts'

const sentKey = 'assay-take-sent'

/** Leaving says where the candidate is sent, and sends them there once, unless `stay` is set. */
export function Leaving({ to, message, stay }: { to: string; message: string; stay: boolean }) {
  const host = hostOf(to)
  const [isStaying, setStay] = useState(!host || inTab(sentKey) === taking.value!.id)
  const stays = stay || isStaying
  useEffect(() => {
    if (stays || !host) return
    announce(text('leaving.soon', { host }))
    // Three seconds, and the time to read the closing message.
    const timer = setTimeout(leave, 3000 + 250 * (message.match(/\S+/g)?.length ?? 0))
    // Back can show this page again as it was.
    const left = () => setStay(true)
    addEventListener('pagehide', left)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', left)
    }
  }, [stays])
  if (!host) return null
  return (
    <section>
      {!stays && <p>{rich('leaving.soon', { host })}</p>}
      <p class="go">
        <button type="button" class="button primary" onClick={leave}>
          <span>{rich('leaving.go', { host })}</span>
        </button>
        {!stays && (
          <button type="button" class="button" onClick={() => setStay(true)}>
            {text('leaving.stay')}
          </button>
        )}
      </p>
    </section>
  )
}

/** hostOf is the host of a web address, and undefined for all other addresses. */
function hostOf(address: string): string | undefined {
  try {
    const { protocol, hostname } = new URL(address)
    return /^https?:$/.test(protocol) ? hostname : undefined
  } catch {
    return undefined
  }
}

// leave opens the latest address, because the token in it expires. Back then leads to
// the end page, which does not send the candidate on again by itself.
function leave(): void {
  keepInTab(sentKey, taking.value!.id)
  history.pushState(null, '', location.pathname)
  location.replace(taking.value!.redirectUrl!)
}
