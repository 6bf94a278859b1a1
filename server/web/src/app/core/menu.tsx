// A menu of further actions behind a button.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icons.tsx'
import { notify } from './notices.tsx'

export interface MenuItem {
  label: string
  act(): void
  /** Why the person cannot do it now. The item stays visible and says it. */
  reason?: string | undefined
  isDanger?: boolean
}

interface Props {
  /** The name of the button, for example "More actions". */
  label: string
  /** What the button shows. Without it, the button shows three dots. */
  children?: ComponentChildren
  items: MenuItem[]
  isSmall?: boolean
  /** The menu is in a table, whose box would cut it off. */
  isFloating?: boolean
}

/** Menu closes when an item is pressed, with Escape, and when something else is pressed. */
export function Menu({ label, children, items, isSmall, isFloating }: Props) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (menu.current) menu.current.open = false
  }
  useEffect(() => {
    const outside = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) close()
    }
    addEventListener('click', outside)
    return () => removeEventListener('click', outside)
  }, [])
  useEffect(() => {
    if (!isFloating) return
    const scrolled = (event: Event) => {
      if (menu.current?.open && !menu.current.contains(event.target as Node)) close()
    }
    addEventListener('scroll', scrolled, true)
    return () => removeEventListener('scroll', scrolled, true)
  }, [isFloating])
  const press = ({ act, reason }: MenuItem) => {
    if (reason) return notify(reason)
    close()
    // A dialog that the item opens returns the focus to the button.
    menu.current?.querySelector('summary')?.focus()
    act()
  }
  return (
    <details
      class={isFloating ? 'more floating' : 'more'}
      ref={menu}
      onToggle={() => isFloating && menu.current?.open && float(menu.current)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return
        close()
        menu.current.querySelector('summary')?.focus()
      }}
    >
      <summary
        class={isFloating ? 'icon-button' : isSmall ? 'button small' : 'button'}
        aria-label={children ? undefined : label}
        title={label}
      >
        {children ?? <Icon name="more" />}
      </summary>
      <div class="menu">
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            class={item.isDanger ? 'bad' : undefined}
            aria-disabled={Boolean(item.reason)}
            aria-description={item.reason}
            title={item.reason}
            onClick={() => press(item)}
          >
            {item.label}
          </button>
        ))}
      </div>
    </details>
  )
}

/** float puts an open menu beside its button in the window, below it or, without room, above it. */
function float(details: HTMLDetailsElement): void {
  const menu = details.querySelector<HTMLElement>('.menu')
  const button = details.querySelector('summary')?.getBoundingClientRect()
  if (!menu || !button) return
  const { offsetWidth: width, offsetHeight: height } = menu
  const isRoomBelow = button.bottom + height + 8 < innerHeight
  const isRightToLeft = getComputedStyle(details).direction === 'rtl'
  const left = isRightToLeft ? button.left : button.right - width
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
  menu.style.top = `${isRoomBelow ? button.bottom + 4 : Math.max(8, button.top - height - 4)}px`
}
