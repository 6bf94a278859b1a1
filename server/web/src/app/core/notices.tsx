// Short messages at the bottom of the page: what has happened, and a way back.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { Icon } from './icons.tsx'

interface Notice {
  id: number
  message: string
  /** A button, for example "Undo". */
  action?: { label: string; act(): void } | undefined
}

const notices = signal<Notice[]>([])
let last = 0

/** notify shows and speaks a message for eight seconds. */
export function notify(message: string, action?: Notice['action']): void {
  announce(message)
  notices.value = [...notices.value.filter((notice) => notice.message !== message).slice(-2), { id: ++last, message, action }]
}

const close = (id: number) => (notices.value = notices.value.filter((notice) => notice.id !== id))

export function Notices() {
  return (
    <section class="notices" aria-label={text('notices.label')}>
      {notices.value.map((notice) => (
        <Message key={notice.id} {...notice} />
      ))}
    </section>
  )
}

function Message({ id, message, action }: Notice) {
  useEffect(() => {
    const timer = setTimeout(() => close(id), 8000)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div class="notice">
      <p>{message}</p>
      {action && (
        <button
          type="button"
          class="button small"
          onClick={() => {
            close(id)
            action.act()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" class="icon-button" aria-label={text('notices.close')} onClick={() => close(id)}>
        <Icon name="close" />
      </button>
    </div>
  )
}
