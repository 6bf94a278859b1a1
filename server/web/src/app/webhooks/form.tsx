// The fields of an endpoint: its address, its events, and its description.
import { text } from '../../shared/i18n.tsx'
import { useState } from 'preact/hooks'
import { ask, v1 } from '../core/api.ts'
import { CheckField, Field, TextField } from '../core/forms.tsx'
import { useQuery } from '../core/query.ts'
import { eventName, eventTypes, oneOf, type Endpoint, type EventTypeInput } from './words.tsx'

export interface Values {
  url: string
  events: EventTypeInput[]
  description: string
}

/** useValues keeps what the person enters. A new endpoint receives what most receivers need: the ends of sessions. */
export function useValues(endpoint?: Endpoint) {
  const [values, setValues] = useState<Values>({
    url: endpoint?.url ?? '',
    events: endpoint
      ? endpoint.events.flatMap((type) => oneOf(eventTypes, type) ?? [])
      : ['candidate.completed', 'candidate.disqualified'],
    description: endpoint?.description ?? '',
  })
  return { values, change: (next: Partial<Values>) => setValues({ ...values, ...next }) }
}

/** bodyOf returns the values as a request has them. */
export function bodyOf({ url, events, description }: Values) {
  return { url: url.trim(), events, description: description.trim() || null }
}

/** checkValues finds what the server would reject with a text that people do not expect. */
export function checkValues({ url, events }: Values): Record<string, string> {
  return {
    ...(/^https?:\/\/\S+\.?\S+$/.test(url.trim()) ? {} : { '/url': text('webhooks.form.url.form') }),
    ...(events.length > 0 ? {} : { '/events': text('webhooks.form.events.none') }),
  }
}

export function EndpointFields({ values, change }: { values: Values; change(next: Partial<Values>): void }) {
  const { url, events, description } = values
  const catalogue = useQuery('/v1/event-types', () => ask(v1.GET('/v1/event-types')))
  const isAll = events.length === eventTypes.length
  const toggle = (type: EventTypeInput, isChecked: boolean) =>
    change({ events: eventTypes.filter((other) => (other === type ? isChecked : events.includes(other))) })
  return (
    <>
      <TextField
        label={text('webhooks.form.url')}
        hint={text('webhooks.form.url.hint')}
        pointer="/url"
        type="url"
        placeholder="https://example.com/webhooks/assay"
        value={url}
        change={(value) => change({ url: value })}
      />
      <Field label={text('webhooks.form.events')} pointer="/events">
        {({ id, 'aria-describedby': described }) => (
          <div id={id} class="webhooks-events" role="group" aria-label={text('webhooks.form.events')} aria-describedby={described}>
            <CheckField
              label={<b>{text('webhooks.form.events.all')}</b>}
              isChecked={isAll}
              change={(isChecked) => change({ events: isChecked ? [...eventTypes] : [] })}
            />
            {eventTypes.map((type) => (
              <CheckField
                key={type}
                label={eventName(type)}
                hint={hintOf(type, catalogue.data)}
                isChecked={events.includes(type)}
                change={(isChecked) => toggle(type, isChecked)}
              />
            ))}
          </div>
        )}
      </Field>
      <TextField
        label={text('webhooks.form.description')}
        pointer="/description"
        isOptional
        maxLength={500}
        value={description}
        change={(value) => change({ description: value })}
      />
    </>
  )
}

/** hintOf shows the name that programs use. The server describes types in English, so others have texts of the dashboard. */
function hintOf(type: EventTypeInput, catalogue: { type: string; description: string }[] | undefined) {
  const description = catalogue?.find((one) => one.type === type)?.description
  return (
    <span title={description}>
      {text(`webhooks.event.${type}.hint`)} <code>{type}</code>
    </span>
  )
}
