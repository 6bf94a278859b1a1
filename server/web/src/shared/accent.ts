// The accent color of an organization, changed until it can be read.

/** Red, green, and blue, from 0 to 255. */
type Color = readonly [number, number, number]

/** The colors of an accent, as CSS. */
export interface Accent {
  /** For buttons and links. */
  accent: string
  /** For text on the accent. */
  ink: string
  /** A ground on which the accent can be read. */
  tint: string
}

/** The contrast of text to its ground that WCAG 2.2 AA requires. */
const enough = 4.5

// The grounds of tokens.css on which the accent stands, and what the accent moves
// towards while its contrast is too low. The tint is the surface with a share of the accent.
const schemes = {
  light: { page: '#f5f6f8', surface: '#ffffff', share: 0.09, ink: '#ffffff', towards: '#000000' },
  dark: { page: '#0f1216', surface: '#171b21', share: 0.16, ink: '#0b0d12', towards: '#ffffff' },
} as const

/** accentFor returns the colors for `color` (`#rrggbb`): the color itself, or darker (in the dark scheme, lighter). */
export function accentFor(color: string, scheme: keyof typeof schemes): Accent {
  const { page, surface, share, ink, towards } = schemes[scheme]
  const given = parse(color)
  for (let step = 0; ; step += 0.02) {
    const accent = mix(given, parse(towards), Math.min(step, 1))
    const tint = mix(parse(surface), accent, share)
    if (step >= 1 || [page, surface, tint, ink].every((ground) => contrast(accent, ground) >= enough)) {
      return { accent: css(accent), ink, tint: css(tint) }
    }
  }
}

/** contrast is the contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(a: Color | string, b: Color | string): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: Color | string): number {
  const [red, green, blue] = (typeof color === 'string' ? parse(color) : color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function parse(color: string): Color {
  const value = parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** mix moves `from` towards `to` by a share from 0 to 1. The parts stay whole, as CSS rounds them. */
function mix(from: Color, to: Color, share: number): Color {
  return from.map((part, i) => Math.round(part + (to[i]! - part) * share)) as unknown as Color
}

function css(color: Color): string {
  return '#' + color.map((part) => part.toString(16).padStart(2, '0')).join('')
}

const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')
let shown: string | undefined

/** showAccent gives the page the accent color, in both color schemes. Without a color, the page keeps its own. */
export function showAccent(color: string | null | undefined): void {
  const { style } = document.documentElement
  shown = /^#[0-9a-f]{6}$/i.test(color ?? '') ? color! : undefined
  // An empty value removes the property.
  const { accent = '', ink = '', tint = '' } = shown ? accentFor(shown, dark?.matches ? 'dark' : 'light') : {}
  style.setProperty('--accent', accent)
  style.setProperty('--accent-ink', ink)
  style.setProperty('--accent-tint', tint)
}

dark?.addEventListener('change', () => showAccent(shown))
