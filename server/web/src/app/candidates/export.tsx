// Exports the sessions that match the filters, for programs or for people. The download goes on while the person visits other screens.
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Fault } from '../core/api.ts'
import { download } from '../core/download.ts'
import { number } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { lazy } from '../core/lazy.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { messageOf } from '../core/states.tsx'
import { fileName } from './csv.ts'
import { parametersOf, searchOf, type Filter } from './filters.ts'

const running = signal<{ bytes: number; stop: AbortController } | undefined>(undefined)

const SpreadsheetDialog = lazy(async () => (await import('./on_demand.ts')).SpreadsheetDialog)

async function run(path: string, name: string): Promise<void> {
  const stop = new AbortController()
  running.value = { bytes: 0, stop }
  const progress = (bytes: number) => (running.value = { bytes, stop })
  const fault: Fault | undefined = await download(path, name, progress, stop.signal)
  running.value = undefined
  if (stop.signal.aborted) return
  if (fault) notify(messageOf(fault), { label: text('fault.retry'), act: () => void run(path, name) })
  else notify(text('candidates.export.done', { name }))
}

export function Export({ filter, title }: { filter: Filter; title: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const current = running.value
  const nameWith = (extension: string) => fileName(text('candidates.export.file'), title, extension)
  if (!current) {
    return (
      <span class="candidates-export">
        <Action isSmall act={() => void run(`/v1/candidate-sessions/export${searchOf(filter)}`, nameWith('.csv'))}>
          <Icon name="download" />
          {text('candidates.export')}
        </Action>
        <Action isSmall act={() => setOpen(true)}>
          <Icon name="download" />
          {text('candidates.spreadsheet')}
        </Action>
        {isOpen && (
          <SpreadsheetDialog
            start={(parameters, extension) => {
              const search = new URLSearchParams({ ...parameters, ...parametersOf(filter) })
              void run(`/v1/candidate-sessions/spreadsheet?${search}`, nameWith(extension))
            }}
            close={() => setOpen(false)}
          />
        )}
      </span>
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
