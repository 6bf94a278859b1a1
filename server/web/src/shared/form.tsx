// A form that sends one request.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Outcome, Problem } from './api.ts'
import { Failure, failureOf, waitOf, type Failed } from './failure.tsx'

interface Props {
  /** The field that gets the focus if its text is wrong. */
  field: string
  label: string
  /** The label while the request runs. */
  sendingLabel: string
  /** Returns false if the text of the field is wrong. Nothing is sent then. */
  check(): boolean
  send(): Promise<Outcome<unknown>>
  /** Handles a refusal. Returns false if the text of the field is wrong. */
  refused(problem: Problem): boolean
  children(isSending: boolean): ComponentChildren
}

/** Form sends once at a time, and says below the fields why a request did not succeed. */
export function Form({ field, label, sendingLabel, check, send, refused, children }: Props) {
  const [isSending, setSending] = useState(false)
  const [failed, setFailed] = useState<Failed>()
  const form = useRef<HTMLFormElement>(null)
  const focusField = () => form.current?.querySelector<HTMLElement>(`#${field}`)?.focus()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isSending || waitOf(failed) > 0) return
    if (!check()) return focusField()
    setSending(true)
    setFailed(undefined)
    const outcome = await send()
    setSending(false)
    if (outcome.kind === 'unavailable') setFailed(failureOf(outcome))
    if (outcome.kind === 'refused' && !refused(outcome.problem)) focusField()
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
      {children(isSending)}
      <Failure failed={failed} over={() => setFailed({ kind: 'again' })} />
      <p class="go">
        <button class="button primary" aria-disabled={isSending || failed?.kind === 'limited'}>
          {isSending ? sendingLabel : label}
        </button>
      </p>
    </form>
  )
}
