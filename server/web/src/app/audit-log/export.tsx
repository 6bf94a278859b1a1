// The export of the entries that match the filters.
import { useRef, useState } from 'preact/hooks'
import { formatter, language, text } from '../../shared/i18n.tsx'
import { download } from '../core/download.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { messageOf } from '../core/states.tsx'

export function Export({ filters }: { filters(): Record<string, string> }) {
  const [bytes, setBytes] = useState<number>()
  const abort = useRef<AbortController | undefined>(undefined)
  const run = async () => {
    const controller = (abort.current = new AbortController())
    setBytes(0)
    const path = `/v1/audit-log/export?${new URLSearchParams(filters())}`
    const name = `audit-log-${new Date().toISOString().slice(0, 10)}.csv`
    const fault = await download(path, name, setBytes, controller.signal)
    setBytes(undefined)
    if (controller.signal.aborted) return
    notify(fault ? messageOf(fault) : text('auditLog.exported'))
  }
  if (bytes === undefined) return <Action act={() => void run()}>{text('auditLog.export')}</Action>
  return (
    <>
      <span class="muted small audit-log-progress" role="status">
        {text('auditLog.exporting', { size: kilobytes(bytes) })}
      </span>
      <Action act={() => abort.current?.abort()}>{text('auditLog.cancel')}</Action>
    </>
  )
}

function kilobytes(bytes: number): string {
  return formatter(Intl.NumberFormat, language.value.formats, {
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 0,
  }).format(bytes / 1000)
}
