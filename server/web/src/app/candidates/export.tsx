// Exports the sessions that match the filters as CSV. The download goes on while the person visits other screens.
import { signal } from '@preact/signals'
import { text } from '../../shared/i18n.tsx'
import type { Fault } from '../core/api.ts'
import { download } from '../core/download.ts'
import { number } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { messageOf } from '../core/states.tsx'
import { fileName } from './csv.ts'
import { searchOf, type Filter } from './filters.ts'

const running = signal<{ bytes: number; stop: AbortController } | undefined>(undefined)

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
      <Action isSmall act={() => void run(filter, fileName(text('candidates.export.file'), title))}>
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
