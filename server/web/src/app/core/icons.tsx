// Icons of 24 × 24 with strokes of 1.75 px, beside their names in words.
const paths = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  assessments: 'M7 4h10a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM9 9h6M9 13h6M9 17h3',
  questions: 'm12 4-9 5 9 5 9-5zM3 14l9 5 9-5',
  candidates: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  key: 'M15 9a4 4 0 1 0-4 4M11 13l-7 7M6 18l2 2M9 15l2 2',
  webhook: 'M8.5 8a3.5 3.5 0 1 1 5.3 3l3.2 5.5M12 8l-3.5 6.5M6 13.3a3.5 3.5 0 1 0 3.5 4.7h7M17 14.5a3.5 3.5 0 1 1-2.5 6',
  events: 'M4 12h4l3-7 3 14 2.5-7H20',
  members: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
  audit: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
  check: 'm5 13 4 4L19 7',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  up: 'm6 14 6-6 6 6',
  down: 'm6 10 6 6 6-6',
  right: 'm10 6 6 6-6 6',
  clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  warning: 'M12 4 2.5 20h19zM12 10v4M12 17.2v.1',
  cloudOff: 'M4 4l16 16M7 18h9M7 18a4 4 0 0 1-.5-8M10 6a6 6 0 0 1 7.5 5A3.6 3.6 0 0 1 20 16',
  copy: 'M9 9h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM5 15V5a1 1 0 0 1 1-1h10',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5 12h1v1H5zm7 0h1v1h-1zm7 0h1v1h-1z',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  edit: 'M4 20h4L19 9l-4-4L4 16z',
  undo: 'M9 7 4 12l5 5M4 12h10a5 5 0 0 1 5 5',
  redo: 'm15 7 5 5-5 5M20 12H10a5 5 0 0 0-5 5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  flag: 'M5 21V4h13l-3 5 3 5H5',
  grip: 'M9 6h.1M15 6h.1M9 12h.1M15 12h.1M9 18h.1M15 18h.1',
  play: 'M7 5v14l12-7z',
  half: 'M12 4a8 8 0 1 0 0 16M12 4v16',
  minus: 'M8 12h8',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 7.8v.1',
}

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
