// Parts that several views share.
import type { ComponentChildren } from 'preact'

/** Sheet is the frame of each view. */
export function Sheet({ children }: { children: ComponentChildren }) {
  return (
    <main class="sheet">
      <p class="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M8 24 16 7l8 17M11.5 18h9" />
        </svg>
        Assay
      </p>
      {children}
    </main>
  )
}

/** Action is a button that shows another view. */
export function Action(props: { label: string; primary?: boolean; act(): void }) {
  return (
    <button type="button" class={props.primary ? 'button primary' : 'button'} onClick={props.act}>
      {props.label}
    </button>
  )
}

/** LinkButton leads to another page. */
export function LinkButton({ label, href }: { label: string; href: string }) {
  return (
    <p class="go">
      <a class="button primary" href={href}>
        {label}
      </a>
    </p>
  )
}
