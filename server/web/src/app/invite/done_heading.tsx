// The heading of what has happened. It takes the focus, because the form that had it is gone.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function DoneHeading({ children }: { children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}
