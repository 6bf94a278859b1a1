// Parts that several views share.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon, type IconName } from '../../shared/icons.tsx'
import { busy, problem, taking } from '../session.ts'
import { LanguageMenu } from './language_menu.tsx'

/** Heading is the heading of a view. It takes the focus when the view appears, so that screen readers begin there. */
export function Heading({ children, id, isQuiet }: { children: ComponentChildren; id?: string; isQuiet?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isQuiet) heading.current?.focus()
  }, [id])
  return <h1 ref={heading} tabIndex={-1}>{children}</h1>
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
  return logoUrl && logoUrl !== broken
    ? <img class="logo" src={logoUrl} alt={name} onError={() => setBroken(logoUrl)} />
    : <span class="mark" aria-hidden="true">{[...name.trim()][0]}</span>
}

/** Note is a sentence that stands out. It informs, unless `kind` says more. */
export function Note(props: { icon: IconName; kind?: 'good' | 'warn' | 'bad'; role?: 'alert' | 'status'; children: ComponentChildren }) {
  return (
    <div class={`note ${props.kind ?? ''}`} role={props.role}>
      <Icon name={props.icon} />
      <div>{props.children}</div>
    </div>
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

/** Action is a button whose action waits for the server. */
export function Action(props: { label: string; primary?: boolean; disabled?: boolean; act(): void }) {
  return (
    <button type="button" class={props.primary ? 'button primary' : 'button'} aria-disabled={busy.value || props.disabled}
      onClick={() => !busy.value && !props.disabled && props.act()}>
      {props.label}
    </button>
  )
}

/** ActionProblem says why the last action did not happen. */
export function ActionProblem() {
  const why = problem.value
  if (!why) return null
  return (
    <Note icon={why === 'unavailable' ? 'cloudOff' : 'warning'} kind="warn" role="alert">
      {why === 'unavailable' ? text('page.unreachable.title') : why.detail}
    </Note>
  )
}
