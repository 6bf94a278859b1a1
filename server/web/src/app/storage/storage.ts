// What the dashboard keeps in the browser. Nothing outside this folder uses localStorage, sessionStorage, or indexedDB.
// It belongs to the first load; clearing.ts and documents.ts do not.
import { me } from '../core/session.ts'

interface Rule {
  /** Tabs share localStorage and indexedDB. sessionStorage ends with its tab. */
  area: 'localStorage' | 'sessionStorage' | 'indexedDB'
  /** Signing out removes what belongs to the person. What belongs to the browser names nobody, and stays. */
  owner: 'browser' | 'person'
  /** How many days it is kept for the person, after the last change. */
  days?: number
  /** What happens if the sign-in ends without signing out. The same person finds unsaved work again. */
  expired?: 'stays' | 'removed' | 'unsaved stays'
}

/** All keys. The id of a person belongs to one organization, so it names both. */
export const table = {
  /** The language that was chosen. */
  language: { area: 'localStorage', owner: 'browser' },
  /** The id of the person who has the browser, from the sign-in to the sign-out. Nobody else can keep anything. */
  owner: { area: 'localStorage', owner: 'browser' },
  /** What was typed in a form of this tab. */
  draft: { area: 'sessionStorage', owner: 'person', days: 7, expired: 'stays' },
  /** The emails that were planned in this tab, so that they can be cancelled together. */
  planned: { area: 'sessionStorage', owner: 'person', days: 7, expired: 'removed' },
  /** The rest of an interrupted import of candidates. The server knows its Idempotency-Keys for a day. */
  invite: { area: 'localStorage', owner: 'person', days: 1, expired: 'stays' },
  /** That the person does not want the step with the webhook. */
  'webhook-step': { area: 'localStorage', owner: 'person', days: 365, expired: 'stays' },
  /** Documents of the editor, with undo. */
  editor: { area: 'indexedDB', owner: 'person', days: 14, expired: 'unsaved stays' },
} satisfies Record<string, Rule>

export type Name = keyof typeof table
type Stored = Exclude<Name, 'owner' | 'editor'>

export const ruleOf = (name: Name): Rule => table[name]
export const areaOf = (name: Name) => window[table[name].area] as Storage
const keyOf = (name: Name, place = '') => `assay.${name}${ruleOf(name).owner === 'person' ? ` ${me.value?.id}${place && ` ${place}`}` : ''}`

export interface Item {
  at: number
  value: unknown
}

export const isOver = (name: Name, at: number) => Date.now() - at > ruleOf(name).days! * 86_400_000

/** get returns what is kept at a place, unless it is too old. */
export function get<T>(name: Stored, place?: string): T | undefined {
  try {
    const item = areaOf(name).getItem(keyOf(name, place))!
    const { at, value } = (ruleOf(name).days ? JSON.parse(item) : { value: item }) as Item
    return isOver(name, at) ? undefined : ((value ?? undefined) as T | undefined)
  } catch {
    return undefined // nothing is kept, or the browser permits no storage
  }
}

/** put keeps a value, or removes what is kept. A browser can refuse: the value then ends with the page. */
export function put(name: Stored, value: unknown, place?: string): void {
  try {
    const key = keyOf(name, place)
    const isLasting = !ruleOf(name).days
    if (value === undefined) areaOf(name).removeItem(key)
    else if (isLasting || hasBrowser()) areaOf(name).setItem(key, isLasting ? (value as string) : JSON.stringify({ at: Date.now(), value }))
  } catch {
    // Some private windows have no storage, and others are full.
  }
}

/** owner is the id of the person who has the browser. */
export function owner(): string | undefined {
  try {
    return localStorage.getItem(keyOf('owner')) ?? undefined
  } catch {
    return undefined
  }
}

/** hasBrowser reports whether nobody signed out, or in, in another tab meanwhile. */
export const hasBrowser = () => owner() === me.value?.id

/** own gives the browser to a person, or to nobody. */
export function own(id: string | undefined): void {
  try {
    if (id) localStorage.setItem(keyOf('owner'), id)
    else localStorage.removeItem(keyOf('owner'))
  } catch {
    // Without storage, nothing is kept.
  }
}
