// Parts that several views share.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { contentLanguage, dateAndTime, text, Verbatim } from '../../shared/i18n.tsx'
import { mailto } from '../../shared/mailto.ts'
import { LanguageMenu } from '../../shared/language_menu.tsx'
import { Heading as Titled, Note, type HeadingProps } from '../../shared/parts.tsx'
import { go, toQuestion } from '../route.ts'
import { busy, inviter, problem, taking, unreachable } from '../session.ts'

export { Fact, Note } from '../../shared/parts.tsx'

/** Heading is the heading of a view. `isTheirs` says that it is a text of the organization. */
export function Heading(props: { isTheirs?: boolean } & Omit<HeadingProps, 'context'>) {
  const children = props.isTheirs ? <Theirs>{props.children}</Theirs> : props.children
  return <Titled {...props} context={[taking.value?.assessment.title, inviter.value?.name]} children={children} />
}

/** Theirs is a text of the organization within the page's own texts. */
export function Theirs({ children }: { children: ComponentChildren }) {
  return <bdi lang={contentLanguage.value}>{children}</bdi>
}

/** Sheet is a page of text: the intro, an ending, or a door that is closed. */
export function Sheet({ children }: { children: ComponentChildren }) {
  return (
    <main class="sheet">
      <Brand />
      {children}
    </main>
  )
}

/** Brand is the logo of the organization, or the first letter of its name. */
export function Brand() {
  const organization = taking.value?.organization
  const [broken, setBroken] = useState('')
  if (!organization) return null
  const { logoUrl, name } = organization
  return logoUrl && logoUrl !== broken ? (
    <img class="logo" src={logoUrl} alt={name} onError={() => setBroken(logoUrl)} />
  ) : (
    <span class="mark" aria-hidden="true" translate={false}>
      {[...name.trim()][0]}
    </span>
  )
}

/** Actions are the buttons at the end of a view, which stay in sight, and above them the menu of languages. */
export function Actions({ children }: { children: ComponentChildren }) {
  return (
    <>
      <LanguageMenu />
      <footer class="actions">{children}</footer>
    </>
  )
}

/** QuestionLink leads to the question with the number. */
export function QuestionLink({
  number,
  class: name,
  children,
}: {
  number: number
  class?: string
  children: ComponentChildren
}) {
  const jump = (event: Event) => {
    event.preventDefault()
    go(toQuestion(number))
  }
  return (
    <a class={name} href={`#q${number}`} onClick={jump}>
      {children}
    </a>
  )
}

/** Action is a button whose action waits for the server. A press while it is disabled calls `explain`. */
export function Action(props: { label: string; primary?: boolean; disabled?: boolean; act(): void; explain?(): void }) {
  const { label, primary, disabled, act, explain } = props
  return (
    <button
      type="button"
      class={primary ? 'button primary' : 'button'}
      aria-disabled={busy.value || disabled}
      onClick={() => !busy.value && (disabled ? explain?.() : act())}
    >
      {label}
    </button>
  )
}

/**
 * Contact is whom the candidate can ask: an address, or the organization. It stands in sentences like
 * "Contact {contact}".
 */
export function Contact() {
  const organization = inviter.value
  if (!organization) return <>{text('contact.unknown')}</>
  const { supportEmail, name } = organization
  return supportEmail ? <a href={mailto(supportEmail)}>{supportEmail}</a> : <Verbatim>{name}</Verbatim>
}

/** dateOf formats a time in the zone of the organization. */
export const dateOf = (at: string) => dateAndTime(new Date(at), taking.value!.organization.timeZone ?? undefined)

/** ActionProblem says that the last action did not happen. */
export function ActionProblem() {
  return (
    <div role="alert">
      {problem.value && (
        <Note icon={unreachable.value ? 'cloudOff' : 'warning'} kind="warn">
          {text(unreachable.value ? 'page.unreachable.title' : 'page.again')}
        </Note>
      )}
    </div>
  )
}
