// Pages for links that lead to no assessment, and for opening the page without one.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { rich, text, type Key } from '../../shared/i18n.tsx'
import { isShown } from '../../shared/languages.ts'
import { damaged, ended, follow, known, open, phase, taking, takeOver, tokenIn } from '../session.ts'
import { Action, Contact, dateOf, Heading, Sheet, Theirs } from './page.tsx'

/** Loading shows the page's shape, but only if the server takes longer than 300 ms. */
export function Loading() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 300)
    return () => clearTimeout(timer)
  }, [])
  if (!isSlow) return null
  return (
    <main class="sheet skeleton" aria-busy="true">
      {isShown.value && <h1 class="unseen">{text('page.loading')}</h1>}
      <i class="mark" />
      <i />
      <i />
      <i class="box" />
      <i />
    </main>
  )
}

export function Unreachable() {
  return (
    <Sheet>
      <Heading>{text('page.unreachable.title')}</Heading>
      <p>{text('page.unreachable.text')}</p>
      <p class="go">
        <Action primary label={text('page.retry')} act={() => void follow()} />
      </p>
    </Sheet>
  )
}

export function NoLink() {
  const [link, setLink] = useState('')
  const [isInvalid, setInvalid] = useState(damaged.value)
  const submit = (event: Event) => {
    event.preventDefault()
    const token = tokenIn(link)
    setInvalid(!token)
    if (token) void open(token)
    else document.getElementById('link')!.focus()
  }
  return (
    <Sheet>
      <Heading>{text('link.missing.title')}</Heading>
      <p>{text('link.missing.text')}</p>
      <form onSubmit={submit}>
        <label for="link">{text('link.missing.field')}</label>
        <input
          id="link"
          class="field"
          dir="ltr"
          value={link}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={isInvalid}
          aria-describedby={isInvalid ? 'link-error' : undefined}
          onInput={(event) => setLink(event.currentTarget.value)}
        />
        {isInvalid && (
          <p id="link-error" class="error">
            {text('link.missing.invalid')}
          </p>
        )}
        <p class="go">
          <button class="button primary">{text('link.missing.open')}</button>
        </p>
      </form>
    </Sheet>
  )
}

export function Continue() {
  const sessions = known.value
  const [only] = sessions
  const isOne = sessions.length === 1
  return (
    <Sheet>
      <Heading>{isOne ? rich('continue.title', { name: only!.candidate ?? '' }) : text('continue.several')}</Heading>
      {isOne && <p dir="auto">{only!.title}</p>}
      <div class="go choices">
        {sessions.map(({ id, token, title = '', candidate = '' }) => (
          <Action
            key={id}
            primary={isOne}
            act={() => void open(token)}
            label={isOne ? text('continue.yes') : text('continue.one', { title, name: candidate })}
          />
        ))}
        <OtherLink />
      </div>
    </Sheet>
  )
}

const reasons: Record<string, string> = { CANCELLED: 'link.cancelled', ERASED: 'link.erased', REPLACED: 'link.renewed' }

/** Replaced is for a link that no longer works, whatever the reason. */
export function Replaced() {
  const { reason = '', organization } = ended.value ?? {}
  return <Dead kind={reasons[reason] ?? 'link.replaced'} elements={{ organization: organization?.name }} />
}

export function Expired() {
  return <Late kind="link.expired" at={taking.value!.expiresAt} />
}

/** Closed is for an invitation to an assessment that can no longer be started, or that opens too late for it. */
export function Closed() {
  const { startUntil, startFrom, expiresAt } = taking.value!
  return startUntil ? <Late kind="closed" at={startUntil} /> : <Late kind="closed.early" at={startFrom!} end={expiresAt} />
}

/** Late is for an invitation that cannot be used at the present time. */
function Late({ kind, at, end = at }: { kind: string; at: string; end?: string }) {
  const { organization, assessment } = taking.value!
  return (
    <Dead
      kind={kind}
      elements={{ organization: organization.name, title: <Theirs>{assessment.title}</Theirs> }}
      times={{ date: dateOf(at), end: dateOf(end) }}
    />
  )
}

interface DeadProps {
  /** The beginning of the keys of the texts. */
  kind: string
  elements: Record<string, ComponentChildren>
  times?: Record<string, string>
}

/** Dead says what has happened, and whom to ask. */
function Dead({ kind, elements, times }: DeadProps) {
  return (
    <Sheet>
      <Heading>{text(`${kind}.title` as Key)}</Heading>
      <p>{rich(`${kind}.text` as Key, elements, times)}</p>
      <p>{rich(`${kind}.ask` as Key, { contact: <Contact /> })}</p>
      <p class="go">
        <OtherLink />
      </p>
    </Sheet>
  )
}

function OtherLink() {
  const other = () => {
    damaged.value = false
    phase.value = 'noLink'
  }
  return <Action label={text('continue.other')} act={other} />
}

export function OtherTab() {
  return (
    <Sheet>
      <Heading>{text('otherTab.title')}</Heading>
      <p>{text('otherTab.text')}</p>
      <p class="go">
        <Action primary label={text('otherTab.take')} act={() => void takeOver()} />
      </p>
    </Sheet>
  )
}
