// Icons of 24 × 24 with strokes of 1.75 px. Each stands beside its name in words. Their paths are in icons.svg, which is
// part of each page's HTML: there they do not count as code.

export type IconName =
  | 'check'
  | 'clock'
  | 'branch'
  | 'calendar'
  | 'flag'
  | 'warning'
  | 'cloudOff'
  | 'list'
  | 'pause'
  | 'left'
  | 'right'
  | 'globe'
  | 'person'

// These point along the direction of reading, so they are mirrored in right-to-left languages.
const points = ['left', 'right']

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={points.includes(name) ? 'icon points' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  )
}
