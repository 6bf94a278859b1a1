// Exports the sessions that match the filters as CSV. The download goes on while the person visits other screens.
import { signal } from '@preact/signals'
import { text } from '../../shared/i18n.tsx'
import type { Fault } from '../core/api.ts'
import { download } from '../core/download.ts'
import { number } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { messageOf } from '../core/states.tsx'
import { searchOf, today, type Filter } from './filters.ts'

const running = signal<{ bytes: number; stop: AbortController } | undefined>(undefined)

/** fileName says what the file contains and when it was made. */
export function fileName(title: string | undefined): string {
  const words = (title ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '').slice(0, 60)
  return [text('candidates.export.file'), words, today()].filter(Boolean).join('-') + '.csv'
}

async function run(filter: Filter, name: string): Promise<void> {
  const stop = new AbortController()
  running.value = { bytes: 0, stop }
  const progress = (bytes: number) => (running.value = { bytes, stop })
  const fault: Fault | undefined = await download(`/v1/candidate-sessions/export${searchOf(filter)}`, name, progress, stop.signal)
  running.value = undefined
  if (stop.signal.aborted) return
  if (fault) notify(messageOf(fault), { label: text('fault.retry'), act: () => void run(filter, name) })
  else notify(text('candidates.export.done', { name }))
}

export function Export({ filter, title }: { filter: Filter; title: string | undefined }) {
  const current = running.value
  if (!current) {
    return (
      <Action isSmall act={() => void run(filter, fileName(title))}>
        <Icon name="download" />
        {text('candidates.export')}
      </Action>
    )
  }
  return (
    <span class="candidates-export">
      <span class="muted small">{text('candidates.export.running', { size: number(current.bytes / 1_000_000, 1) })}</span>
      <button type="button" class="button small" onClick={() => current.stop.abort()}>
        {text('candidates.export.stop')}
      </button>
    </span>
  )
}
