// Pages for links that lead to no assessment, and for opening the page without one.
import { useState } from 'preact/hooks'
import { dateAndTime, text } from '../../shared/i18n.tsx'
import { known, load, open, phase, taking, takeOver, tokenIn } from '../session.ts'
import { Action, Heading, Sheet } from './page.tsx'

export function Unreachable() {
  return (
    <Sheet>
      <Heading>{text('page.unreachable.title')}</Heading>
      <p>{text('page.unreachable.text')}</p>
      <p class="go"><Action primary label={text('page.retry')} act={() => void load()} /></p>
    </Sheet>
  )
}

export function NoLink() {
  const [link, setLink] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  const submit = (event: Event) => {
    event.preventDefault()
    const token = tokenIn(link)
    if (token) void open(token)
    else setInvalid(true)
  }
  return (
    <Sheet>
      <Heading>{text('link.missing.title')}</Heading>
      <p>{text('link.missing.text')}</p>
      <form onSubmit={submit}>
        <label for="link">{text('link.missing.field')}</label>
        <input id="link" class="field" value={link} autocomplete="off" spellcheck={false} aria-invalid={isInvalid}
          aria-describedby={isInvalid ? 'link-error' : undefined} onInput={(event) => setLink(event.currentTarget.value)} />
        {isInvalid && <p id="link-error" class="error">{text('link.missing.invalid')}</p>}
        <p class="go"><button class="button primary">{text('link.missing.open')}</button></p>
      </form>
    </Sheet>
  )
}

export function Continue() {
  return (
    <Sheet>
      {known.value.map((session) => (
        <section key={session.id}>
          <Heading>{text('continue.title', { name: session.candidate ?? session.title ?? '' })}</Heading>
          <p class="go"><Action primary label={text('continue.yes')} act={() => void open(session.token)} /></p>
        </section>
      ))}
      <p><Action label={text('continue.other')} act={() => { phase.value = 'noLink' }} /></p>
    </Sheet>
  )
}

export function Replaced() {
  return (
    <Sheet>
      <Heading>{text('link.replaced.title')}</Heading>
      <p>{text('link.replaced.text')}</p>
    </Sheet>
  )
}

export function Expired() {
  const session = taking.value
  return (
    <Sheet>
      <Heading>{text('link.expired.title')}</Heading>
      {session && (
        <p>{text('link.expired.text', { date: dateAndTime(new Date(session.expiresAt), session.organization.timeZone ?? undefined) })}</p>
      )}
    </Sheet>
  )
}

export function OtherTab() {
  return (
    <Sheet>
      <Heading>{text('otherTab.title')}</Heading>
      <p>{text('otherTab.text')}</p>
      <p class="go"><Action primary label={text('otherTab.take')} act={() => void takeOver()} /></p>
    </Sheet>
  )
}
