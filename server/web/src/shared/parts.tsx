// Parts of views that the pages share.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icons.tsx'

export interface HeadingProps {
  children: ComponentChildren
  id?: string
  /** Whether the heading leaves the focus where it is. */
  isQuiet?: boolean
  /** What follows the heading in the title of the document. */
  context?: (string | undefined)[]
}

/**
 * Heading is the heading of a view, and the title of the document. It takes the focus
 * when the view appears, so that screen readers begin there.
 */
export function Heading({ children, id, isQuiet, context = [] }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isQuiet) return
    // The browser would scroll only as far as the bar that covers the heading.
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [id])
  useEffect(() => {
    const parts = new Set([heading.current?.textContent, ...context])
    document.title = [...parts].filter(Boolean).join(' – ')
  })
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

/** Note is a sentence that stands out. It informs, unless `kind` says more. */
export function Note(props: {
  icon: IconName
  kind?: 'good' | 'warn' | 'bad' | undefined
  children: ComponentChildren
}) {
  return (
    <div class={`note ${props.kind ?? ''}`}>
      <Icon name={props.icon} />
      <div>{props.children}</div>
    </div>
  )
}

/** Fact is a row of a list with the class `facts`. */
export function Fact({ icon, children }: { icon: IconName; children: ComponentChildren }) {
  return (
    <li>
      <Icon name={icon} />
      <div>{children}</div>
    </li>
  )
}
