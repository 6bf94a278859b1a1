// A filter with several controls: a button that shows its value, and a panel below it.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../core/icons.tsx'

interface Props {
  label: string
  /** What is chosen, in words. */
  value?: string | undefined
  /** The content of the panel, while it is open. */
  children(close: () => void): ComponentChildren
  /** Looks like a field of a form. */
  isField?: boolean
}

/** FilterMenu closes with Escape, and when something else is pressed or gets the focus. */
export function FilterMenu({ label, value, children, isField }: Props) {
  const menu = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    if (!menu.current?.open) return
    menu.current.open = false
    menu.current.querySelector('summary')?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    menu.current?.querySelector<HTMLElement>('.panel :is(input, select, button)')?.focus()
    const outside = (event: Event) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) menu.current!.open = false
    }
    addEventListener('click', outside)
    addEventListener('focusin', outside)
    return () => {
      removeEventListener('click', outside)
      removeEventListener('focusin', outside)
    }
  }, [isOpen])
  return (
    <details
      class={isField ? 'filter-menu wide' : 'filter-menu'}
      ref={menu}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) close()
      }}
    >
      <summary class={isField ? 'field' : 'field small'} data-set={value !== undefined}>
        <span class={isField ? 'unseen' : 'muted'}>{label}</span>
        {value && <span class="value">{value}</span>}
        {isField && !value && <span class="muted">{label}</span>}
        <Icon name="down" />
      </summary>
      {isOpen && <div class="panel">{children(close)}</div>}
    </details>
  )
}
