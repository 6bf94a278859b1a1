// A filter for a period: the last hours or days, or from one time to another.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Dialog } from './dialogs.tsx'
import { firstPage } from './filters.tsx'
import { dayAndTime } from './formats.tsx'
import { TextField, Form } from './forms.tsx'
import { useAddress } from './url.ts'
import { fromField, toField, zoneHint } from './zone.ts'

const hour = 3_600_000
/** The periods that end now, as values of the parameter `since`. */
const presets = { '1h': hour, '24h': 24 * hour, '7d': 7 * 24 * hour, '30d': 30 * 24 * hour } as const
type Preset = keyof typeof presets

const isPreset = (value: string | undefined): value is Preset => value !== undefined && value in presets

/** The parameters of the address that TimeRange sets, for ClearFilters and keys of queries. */
export const rangeNames = ['since', 'until']

export interface Range {
  since?: string
  until?: string
}

/**
 * rangeOf returns the period of the address as parameters of a request. Call it when the request is sent, because a
 * preset such as "24h" ends now.
 */
export function rangeOf({ since, until }: Record<string, string>): Range {
  const time = (value: string | undefined) => (value && !Number.isNaN(Date.parse(value)) ? value : undefined)
  const from = isPreset(since) ? new Date(Date.now() - presets[since]).toISOString() : time(since)
  const to = time(until)
  return { ...(from && { since: from }), ...(to && { until: to }) }
}

/** TimeRange keeps `since` and `until` in the address. */
export function TimeRange({ label }: { label?: string }) {
  const { query, change } = useAddress()
  const [isOpen, setOpen] = useState(false)
  const { since, until } = query
  const isOwn = Boolean((since && !isPreset(since)) || until)
  const name = label ?? text('range.label')
  const choose = (select: HTMLSelectElement) => {
    const { value } = select
    if (value !== 'own') return change({ since: value || undefined, until: undefined, ...firstPage })
    select.value = isOwn ? 'set' : (since ?? '')
    setOpen(true)
  }
  return (
    <>
      <label class="filter">
        <span class="unseen">{name}</span>
        <select
          class="field small"
          value={isOwn ? 'set' : (since ?? '')}
          onChange={(event) => choose(event.currentTarget)}
        >
          <option value="">{text('filter.all', { label: name })}</option>
          {(Object.keys(presets) as Preset[]).map((preset) => (
            <option key={preset} value={preset}>
              {text(`range.${preset}`)}
            </option>
          ))}
          {isOwn && <option value="set">{inWords(since, until)}</option>}
          <option value="own">{text('range.own')}</option>
        </select>
      </label>
      {isOpen && <OwnRange close={() => setOpen(false)} />}
    </>
  )
}

function inWords(since: string | undefined, until: string | undefined): string {
  const range = rangeOf({ ...(since && { since }), ...(until && { until }) })
  const [from, to] = [range.since && dayAndTime(range.since), range.until && dayAndTime(range.until)]
  if (from && to) return `${from} – ${to}`
  return from ? text('range.from', { time: from }) : text('range.to', { time: to ?? '' })
}

function OwnRange({ close }: { close(): void }) {
  const { query, change } = useAddress()
  const range = rangeOf(query)
  const [since, setSince] = useState(range.since ? toField(range.since) : '')
  const [until, setUntil] = useState(range.until ? toField(range.until) : '')
  const [from, to] = [fromField(since), fromField(until)]
  const check = (): Record<string, string> => (from && to && from >= to ? { '/until': text('range.order') } : {})
  const send = () =>
    Promise.resolve({ ok: true as const, data: undefined, response: new Response() })
  const done = () => {
    close()
    change({ since: from, until: to, ...firstPage })
  }
  return (
    <Dialog title={text('range.title')} close={close}>
      <p class="muted small">{text('range.empty')}</p>
      <Form draft={undefined} label={text('range.apply')} check={check} send={send} done={done}>
        <TextField label={text('range.since')} hint={zoneHint(since)} pointer="/since" type="datetime-local" value={since} change={setSince} />
        <TextField label={text('range.until')} hint={zoneHint(until)} pointer="/until" type="datetime-local" value={until} change={setUntil} />
      </Form>
    </Dialog>
  )
}
