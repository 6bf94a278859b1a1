// The question before an action on several candidates, its progress, and what did not succeed.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { text, Verbatim } from '../../shared/i18n.tsx'
import type { Answer } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { messageOf } from '../core/states.tsx'
import { runAll, type Progress } from './bulk.ts'
import type { Session } from './sessions.ts'
import { nameOf } from './status.tsx'

/** What each action on several candidates gets from the selection. */
export interface DialogProps {
  /** The sessions for which the action is possible. */
  sessions: Session[]
  /** How many of the selected sessions are left out. */
  leftOut: number
  changed(session: Session): void
  close(): void
}

interface Props extends Omit<DialogProps, 'changed'> {
  title: string
  label: string
  isDanger?: boolean
  /** How many sessions a request changes; 1 if it is absent. */
  groupSize?: number
  /** Checks the settings before anything is sent, and shows what is wrong with them. */
  before?(): boolean
  /** Changes a group of sessions, and returns the outcome of each. */
  act(sessions: Session[]): Promise<Answer<Answer<Session>[]>>
  succeeded(session: Session): void
  /** What the action does, and its settings. */
  children: ComponentChildren
  /** What the person can do with the sessions that were changed. */
  after?(changed: Session[]): ComponentChildren
}

export function BulkDialog(props: Props) {
  const { title, sessions, close } = props
  const [run, setRun] = useState<{ progress: Progress<Session>; total: number; isOver: boolean }>()
  const [changed, setChanged] = useState<Session[]>([])
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])

  const start = async (items: Session[]) => {
    if (props.before?.() === false) return
    stop.current = new AbortController()
    const total = items.length
    setRun({ progress: { done: 0, failures: [] }, total, isOver: false })
    const succeeded = (session: Session) => {
      setChanged((before) => [...before, session])
      props.succeeded(session)
    }
    const report = (progress: Progress<Session>) => setRun({ progress, total, isOver: false })
    await runAll(items, props.groupSize ?? 1, props.act, succeeded, report, stop.current.signal)
    setRun((last) => last && { ...last, isOver: true })
  }
  return (
    <Dialog title={title} close={close}>
      {!run && <Question {...props} start={() => void start(sessions)} />}
      {run && !run.isOver && <Running {...run} stop={() => stop.current.abort()} />}
      {run?.isOver && <Outcome {...props} {...run} changed={changed} retry={(items) => void start(items)} />}
    </Dialog>
  )
}

const maxNames = 10

function Question({ label, isDanger, sessions, leftOut, children, start, close }: Props & { start(): void }) {
  const more = sessions.length - maxNames
  return (
    <>
      {children}
      <ul class="candidates-names">
        {sessions.slice(0, maxNames).map((session) => (
          <li key={session.id}>
            <Verbatim>{nameOf(session)}</Verbatim>{' '}
            <span class="muted small">{session.erasedAt ? '' : session.candidateEmail}</span>
          </li>
        ))}
        {more > 0 && <li class="muted">{text('candidates.bulk.more', { count: more })}</li>}
      </ul>
      {leftOut > 0 && <p class="muted small">{text('candidates.bulk.leftOut', { count: leftOut })}</p>}
      <div class="go">
        <button type="button" class={isDanger ? 'button danger' : 'button primary'} onClick={start}>
          {label}
        </button>
        <button type="button" class="button" onClick={close}>
          {text('candidates.bulk.back')}
        </button>
      </div>
    </>
  )
}

function Running({ progress, total, stop }: { progress: Progress<Session>; total: number; stop(): void }) {
  return (
    <>
      <p role="status">{text('candidates.bulk.progress', { done: progress.done, count: total })}</p>
      <progress class="candidates-progress" max={total} value={progress.done} aria-label={text('candidates.bulk.label')} />
      <div class="go">
        <button type="button" class="button" onClick={stop}>
          {text('candidates.bulk.stop')}
        </button>
      </div>
    </>
  )
}

interface OutcomeProps extends Props {
  progress: Progress<Session>
  total: number
  changed: Session[]
  retry(items: Session[]): void
}

function Outcome({ progress: { done, failures }, total, changed, after, retry, close }: OutcomeProps) {
  return (
    <>
      <p role="status">
        {text('candidates.bulk.done', { done: done - failures.length, count: total })}{' '}
        {done < total && text('candidates.bulk.stopped')}
      </p>
      {failures.length > 0 && (
        <>
          <h3>{text('candidates.bulk.failures', { count: failures.length })}</h3>
          <ul class="candidates-names" role="list">
            {failures.map(({ item, fault }) => (
              <li key={item.id}>
                <b>{nameOf(item)}</b> <span class="muted">{messageOf(fault)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {changed.length > 0 && after?.(changed)}
      <div class="go">
        {failures.length > 0 && (
          <button type="button" class="button" onClick={() => retry(failures.map(({ item }) => item))}>
            {text('candidates.bulk.retry')}
          </button>
        )}
        <button type="button" class="button primary" onClick={close}>
          {text('candidates.bulk.close')}
        </button>
      </div>
    </>
  )
}
