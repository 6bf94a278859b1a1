// Sending the events of a period again, after showing their number.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { Form, SelectField, TextField } from '../core/forms.tsx'
import { number } from '../core/figures.ts'
import { notify } from '../core/notices.tsx'
import { forget, useQuery } from '../core/query.ts'
import { FaultNote } from '../core/states.tsx'
import { useAddress } from '../core/url.ts'
import { fromField, toField, zoneHint } from '../core/zone.ts'
import { eventName, eventTypes, oneOf, type Endpoint } from './words.tsx'

type Replayed = Schemas['WebhookReplayed']

/** Which events to send, by how their deliveries ended. An empty list means all events. */
const choices = {
  missed: ['FAILED', 'CANCELLED'],
  failed: ['FAILED'],
  cancelled: ['CANCELLED'],
  all: [],
} as const
type Choice = keyof typeof choices

interface Request {
  id: string
  since: string
  until: string
  choice: Choice
  eventType: string
}

type Status = (typeof choices)['missed'][number]
interface Counted extends Replayed {
  /** The statuses that have events. A replay of nothing would be an entry in the audit log. */
  found: readonly (Status | undefined)[]
}

/** request sends one request for each status, because the contract takes one. Without a key, it counts. */
async function request(
  { id, since, until, choice, eventType }: Request,
  sending?: { key: string; statuses: Counted['found'] | undefined },
): Promise<Answer<Counted>> {
  const type = oneOf(eventTypes, eventType)
  const all = choices[choice].length > 0 ? choices[choice] : [undefined]
  const sum: Counted = { count: 0, hasMore: false, found: [] }
  let response = new Response()
  for (const status of sending?.statuses ?? all) {
    const header = sending ? { 'Idempotency-Key': `${sending.key}-${status ?? 'ALL'}` } : {}
    const answer = await ask(
      v1.POST('/v1/webhooks/{id}/replay', {
        params: { path: { id }, header },
        body: { since, until, dryRun: !sending, ...(type && { eventType: type }), ...(status && { status }) },
      }),
    )
    if (!answer.ok) return answer
    response = answer.response
    sum.count += answer.data.count
    sum.hasMore ||= answer.data.hasMore
    if (answer.data.count > 0) sum.found = [...sum.found, status]
  }
  return { ok: true, data: sum, response }
}

export function Replay({ endpoint, since: first, close }: { endpoint: Endpoint; since: string | undefined; close(): void }) {
  const start = first ?? new Date(Date.now() - 24 * 3_600_000).toISOString()
  const [since, setSince] = useState(() => toField(start))
  const [until, setUntil] = useState(() => toField(new Date(Date.now() + 60_000)))
  const [choice, setChoice] = useState<Choice>('missed')
  const [eventType, setEventType] = useState('')
  const address = useAddress()
  const [from, to] = [fromField(since), fromField(until)]
  const isValid = from !== undefined && to !== undefined && from < to
  const asked: Request = { id: endpoint.id, since: from ?? '', until: to ?? '', choice, eventType }
  const counted = useQuery(isValid ? `replay ${JSON.stringify(asked)}` : undefined, () => request(asked))
  const count = counted.isStale ? undefined : counted.data?.count
  return (
    <Dialog title={text('webhooks.replay')} close={close}>
      <p>{text('webhooks.replay.text')}</p>
      <Form
        draft="replay"
        label={count ? text('webhooks.replay.submit', { count }) : text('webhooks.replay')}
        busyLabel={text('webhooks.replay.busy')}
        reason={count === 0 ? text('webhooks.replay.none') : undefined}
        check={(): Record<string, string> => (isValid ? {} : { '/until': text('range.order') })}
        send={(key) => request(asked, { key, statuses: counted.isStale ? undefined : counted.data?.found })}
        done={({ count: sent, hasMore }) => {
          forget('/v1/deliveries')
          forget('replay ')
          close()
          // What is sent has another status than what was missed.
          address.change({ status: undefined, after: undefined, page: undefined }, true)
          notify(hasMore ? text('webhooks.replay.more', { count: sent }) : text('webhooks.replay.done', { count: sent }))
        }}
      >
        <SelectField
          label={text('webhooks.replay.which')}
          pointer="/status"
          value={choice}
          change={(value) => setChoice(value as Choice)}
          options={(Object.keys(choices) as Choice[]).map((value) => ({ value, label: text(`webhooks.replay.${value}`) }))}
        />
        <div class="columns">
          <TextField label={text('range.since')} hint={zoneHint(since)} pointer="/since" type="datetime-local" value={since} change={setSince} />
          <TextField label={text('range.until')} hint={zoneHint(until)} pointer="/until" type="datetime-local" value={until} change={setUntil} />
        </div>
        <SelectField
          label={text('webhooks.filter.type')}
          pointer="/eventType"
          value={eventType}
          change={setEventType}
          options={[
            { value: '', label: text('webhooks.replay.types') },
            ...endpoint.events.map((type) => ({ value: type, label: eventName(type) })),
          ]}
        />
        <p class="webhooks-count" role="status">
          {counted.fault ? null : count === undefined ? text('webhooks.replay.counting') : <Count count={count} />}
        </p>
        {counted.fault && <FaultNote fault={counted.fault} retry={counted.reload} />}
      </Form>
    </Dialog>
  )
}

function Count({ count }: { count: number }) {
  if (count === 0) return <>{text('webhooks.replay.none')}</>
  return (
    <>
      <b class="webhooks-number">{number(count)}</b> {text('webhooks.replay.count', { count })}
    </>
  )
}
