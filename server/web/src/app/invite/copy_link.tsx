// A link with a button that copies it. If the browser refuses, the link is selected, and the page says how to copy it.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'

/** `children` are further buttons. */
export function CopyLink({ url, children }: { url: string; children: ComponentChildren }) {
  const [outcome, setOutcome] = useState<{ url: string; isCopied: boolean }>()
  const link = useRef<HTMLAnchorElement>(null)
  const copy = async () => {
    try {
      // Without HTTPS, a browser has no clipboard.
      await navigator.clipboard.writeText(url)
      setOutcome({ url, isCopied: true })
    } catch {
      if (link.current) getSelection()?.selectAllChildren(link.current)
      setOutcome({ url, isCopied: false })
    }
  }
  const known = outcome?.url === url ? outcome : undefined
  return (
    <>
      <p class="invite-before">
        <a ref={link} href={url}>
          {url}
        </a>
      </p>
      <p class="invite-buttons invite-before">
        <button type="button" class="button small" onClick={() => void copy()}>
          <Icon name={known?.isCopied ? 'check' : 'copy'} />
          {text(known?.isCopied ? 'copy.done' : 'invite.registration.copy')}
        </button>
        {children}
      </p>
      <p class={known?.isCopied === false ? 'invite-before' : 'unseen'} role="status">
        {known && text(known.isCopied ? 'copy.done' : 'invite.registration.copyFailed')}
      </p>
    </>
  )
}
