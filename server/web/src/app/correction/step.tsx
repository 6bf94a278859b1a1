// What the steps of a correction share.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../core/api.ts'
import type { Draft, Question } from './draft.ts'

export interface StepProps {
  assessment: Schemas['AssessmentDetail']
  question: Question
  draft: Draft
}

/** StepTitle takes the focus when its step opens, so that screen readers begin there. */
export function StepTitle({ children }: { children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}
