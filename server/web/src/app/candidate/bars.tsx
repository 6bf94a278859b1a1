// Bars on a scale from 0 to 100 percent, with marks for gates and the passing score.
import type { ComponentChildren } from 'preact'

interface BarProps {
  /** From 0 to 100. Null leaves the bar empty. */
  value: number | null
  /** Where the mark stands: a gate or the passing score. */
  mark?: number | null | undefined
  /** Whether the value is below the mark. The words beside the bar say it too. */
  isBelow?: boolean
}

/** Bar repeats what the words beside it say, so screen readers do not see it. */
export function Bar({ value, mark, isBelow }: BarProps) {
  return (
    <span class={isBelow ? 'bar tall below' : 'bar tall'} aria-hidden="true">
      {value !== null && <i style={{ width: `${value}%` }} />}
      {mark != null && <u style={{ insetInlineStart: `${mark}%` }} />}
    </span>
  )
}

interface MeterProps extends BarProps {
  label: ComponentChildren
  figure: ComponentChildren
  children?: ComponentChildren
}

/** Meter is a bar with its label and figure above it, and a sentence below it. */
export function Meter({ label, figure, children, ...bar }: MeterProps) {
  return (
    <div class="meter">
      <span>{label}</span>
      <b>{figure}</b>
      <Bar {...bar} />
      {children && <span class="small muted">{children}</span>}
    </div>
  )
}
