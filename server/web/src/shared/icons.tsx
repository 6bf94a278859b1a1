// Icons of 24 × 24 with strokes of 1.75 px. Each stands beside its name in words.
const paths = {
  check: 'm5 13 4 4L19 7',
  clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  branch: 'M12 3 3 12l9 9 9-9z',
  calendar: 'M5 5h14a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3 10h18M8 3v4M16 3v4',
  flag: 'M5 21V4h13l-3 5 3 5H5',
  warning: 'M12 4 2.5 20h19zM12 10v4M12 17.2v.1',
  cloudOff: 'M4 4l16 16M7 18h9M7 18a4 4 0 0 1-.5-8M10 6a6 6 0 0 1 7.5 5A3.6 3.6 0 0 1 20 16',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.1M4.5 12h.1M4.5 18h.1',
  pause: 'M9 6v12M15 6v12',
  left: 'm14 6-6 6 6 6',
  right: 'm10 6 6 6-6 6',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c5 5.5 5 12.5 0 18M12 3c-5 5.5-5 12.5 0 18',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
}

export type IconName = keyof typeof paths

// These point along the direction of reading, so they are mirrored in right-to-left languages.
const points = new Set<IconName>(['left', 'right'])

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={points.has(name) ? 'icon points' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
