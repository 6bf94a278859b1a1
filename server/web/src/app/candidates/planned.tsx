// What became of the emails of a change of states, and a way to cancel them until they are sent.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { dayAndTime } from '../core/formats.tsx'
import { remember, waiting, type Batch } from './waiting.ts'

/** usePlanned collects the emails of the requests of a dialog. */
export function usePlanned() {
  const [batches, setBatches] = useState<Batch[]>([])
  const [without, setWithout] = useState(0)
  return {
    add({ emailBatchId, rows }: Schemas['ReviewStateBulkResult'], isAsked: boolean) {
      const emails = rows.flatMap(({ email }) => (email && email.batchId === emailBatchId ? [email] : []))
      if (emailBatchId && emails[0]) {
        const batch = { id: emailBatchId, count: emails.length, sendAt: emails[0].sendAt }
        remember([...waiting(), batch])
        setBatches((before) => [...before, batch])
      }
      if (isAsked) setWithout((before) => before + rows.filter(({ error }) => !error).length - emails.length)
    },
    note: () => (
      <>
        {without > 0 && <p>{text('candidates.email.without', { count: without })}</p>}
        {batches.length > 0 && <Planned batches={batches} />}
      </>
    ),
  }
}

/** Planned says when emails are sent, and cancels them. */
export function Planned({ batches }: { batches: Batch[] }) {
  const [outcome, setOutcome] = useState<string>()
  const count = batches.reduce((sum, one) => sum + one.count, 0)
  const isOver = batches.every(({ sendAt }) => Date.parse(sendAt) <= Date.now())
  const cancel = async () => {
    const answers = await Promise.all(
      batches.map(({ id }) => ask(v1.POST('/v1/review-emails/{id}/cancel', { params: { path: { id } } }))),
    )
    if (answers.some((answer) => !answer.ok)) return setOutcome(text('candidates.email.notCancelled'))
    const sum = (name: 'cancelledCount' | 'sentCount') =>
      answers.reduce((total, answer) => total + (answer.ok ? answer.data[name] : 0), 0)
    const sent = sum('sentCount')
    remember(waiting().filter(({ id }) => !batches.some((one) => one.id === id)))
    setOutcome(
      [
        text('candidates.email.cancelled', { count: sum('cancelledCount') }),
        ...(sent > 0 ? [text('candidates.email.sent', { count: sent })] : []),
      ].join(' '),
    )
  }
  if (isOver) return <p role="status">{text('candidates.email.sending', { count })}</p>
  return (
    <div class="note candidates-planned" role="status">
      <p>{outcome ?? text('candidates.email.planned', { count, at: dayAndTime(batches[0]!.sendAt) })}</p>
      {!outcome && (
        <button type="button" class="button small" onClick={() => void cancel()}>
          {text('candidates.email.cancel', { count })}
        </button>
      )}
    </div>
  )
}

/** Waiting is Planned for each time at which this person has planned emails, after the dialogs have closed. */
export function Waiting() {
  const [shown] = useState(waiting)
  const times = [...new Set(shown.map(({ sendAt }) => sendAt))]
  return (
    <>
      {times.map((at) => (
        <Planned key={at} batches={shown.filter(({ sendAt }) => sendAt === at)} />
      ))}
    </>
  )
}
