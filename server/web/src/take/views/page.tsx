// Parts that several views share.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { busy, problem, taking } from '../session.ts'

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
  if (!organization) return null
  return organization.logoUrl
    ? <img class="logo" src={organization.logoUrl} alt={organization.name} />
    : <span class="mark" aria-hidden="true">{[...organization.name][0]}</span>
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
  return <p class="note bad" role="alert">{why === 'unavailable' ? text('page.unreachable.title') : why.detail}</p>
}
