// The frame of a screen: where it is, its title, its actions.
import type { ComponentChildren } from 'preact'
import { Heading } from '../../shared/parts.tsx'
import { notify } from './notices.tsx'
import { me } from './session.ts'

interface Props {
  title: string
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
  /** Identifies what the screen shows. The heading takes the focus when it changes. */
  id?: string
  children: ComponentChildren
}

export function Page({ title, beside, crumbs, actions, tabs, isNarrow, id, children }: Props) {
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
        <Heading id={id ?? title} context={[me.value?.organization.name]}>
          {title}
        </Heading>
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
