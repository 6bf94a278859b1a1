// The frame of a screen: where it is, its title, its actions.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { notify } from './notices.tsx'
import { place } from './scroll.ts'
import { me } from './me.ts'
import { useAddress } from './url.ts'

interface Props {
  title: string
  /** Whether the title is a name, which no browser translates. */
  isName?: boolean
  /** What follows the title, for example the tag of a status. */
  beside?: ComponentChildren
  /** The screens above this one, as links. */
  crumbs?: { label: string; href: string }[]
  /** Buttons and links. At most one is primary. */
  actions?: ComponentChildren
  /** The tabs of the screens of one thing. */
  tabs?: { label: string; href: string; isCurrent: boolean }[]
  /** For pages of text and forms. */
  isNarrow?: boolean
  children: ComponentChildren
}

export function Page({ title, isName = false, beside, crumbs, actions, tabs, isNarrow, children }: Props) {
  return (
    <div class={isNarrow ? 'page narrow' : 'page'}>
      {crumbs && crumbs.length > 0 && (
        <nav class="crumbs" aria-label="Breadcrumb">
          {crumbs.map(({ label, href }) => (
            <a key={href} href={href}>
              {label}
            </a>
          ))}
        </nav>
      )}
      <header class="head">
        <Title title={title} isName={isName} />
        {beside}
        <span class="grow" />
        {actions && <div class="actions">{actions}</div>}
      </header>
      {tabs && (
        <nav class="tabs" aria-label={title}>
          {tabs.map(({ label, href, isCurrent }) => (
            <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      )}
      {children}
    </div>
  )
}

/**
 * Title is the heading of a screen, and the title of the document. It takes the focus when the
 * screen opens, so that screen readers begin there.
 */
function Title({ title, isName }: { title: string; isName: boolean }) {
  const { path } = useAddress()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    place()
  }, [path])
  useEffect(() => {
    document.title = [title, me.value?.organization.name].filter(Boolean).join(' – ')
  })
  return (
    <h1 ref={heading} tabIndex={-1} translate={!isName}>
      {title}
    </h1>
  )
}

interface ActionProps {
  children: ComponentChildren
  act(): void
  /** Why the person cannot do it now. The button stays visible and says it. */
  reason?: string | undefined
  kind?: 'primary' | 'quiet' | 'danger'
  isSmall?: boolean
  isBusy?: boolean
  label?: string
}

/** Action is a button. With a reason it is disabled, and says why when it has the focus or is pressed. */
export function Action({ children, act, reason, kind, isSmall, isBusy, label }: ActionProps) {
  const press = () => {
    if (reason) notify(reason)
    else if (!isBusy) act()
  }
  return (
    <button
      type="button"
      class={['button', kind, isSmall && 'small'].filter(Boolean).join(' ')}
      aria-disabled={Boolean(reason) || isBusy === true}
      aria-label={label}
      title={reason}
      aria-description={reason}
      onClick={press}
    >
      {children}
    </button>
  )
}

interface ActionLinkProps {
  children: ComponentChildren
  href: string
  /** Why the person cannot go there now. */
  reason?: string | undefined
  kind?: 'primary' | 'quiet'
  isSmall?: boolean
}

/** ActionLink is a link that looks like a button. With a reason it is a disabled button that says why. */
export function ActionLink({ children, href, reason, kind, isSmall }: ActionLinkProps) {
  if (reason) return <Action {...(kind && { kind })} reason={reason} act={() => undefined} children={children} />
  return (
    <a class={['button', kind, isSmall && 'small'].filter(Boolean).join(' ')} href={href}>
      {children}
    </a>
  )
}
