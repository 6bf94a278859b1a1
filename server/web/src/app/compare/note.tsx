// A sentence above the comparison.
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../core/icons.tsx'

export function Note({ icon, kind, children }: { icon: IconName; kind?: 'warn'; children: ComponentChildren }) {
  return (
    <div class={`note candidate-note ${kind ?? ''}`}>
      <Icon name={icon} />
      <p>{children}</p>
    </div>
  )
}
