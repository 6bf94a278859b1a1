// What the dashboard keeps in the browser. Nothing outside this folder uses localStorage, sessionStorage, or indexedDB.
// It belongs to the first load; clearing.ts and documents.ts do not.
import { me } from '../core/me.ts'
import { table, type Rule } from './table.ts'

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

/** owner is the id of the person who has the browser, or several ids after a switch to another organization. */
export function owner(): string | undefined {
  try {
    return localStorage.getItem(keyOf('owner')) ?? undefined
  } catch {
    return undefined
  }
}

/** hasBrowser reports whether the person still has the browser. A sign-out or sign-in in another tab ends that. */
export const hasBrowser = () => owner()?.includes(me.value?.id ?? '?') === true

/** setOwner gives the browser to a person. Without an id, no person has it. */
export function setOwner(id: string | undefined): void {
  try {
    if (id) localStorage.setItem(keyOf('owner'), id)
    else localStorage.removeItem(keyOf('owner'))
  } catch {
    // Without storage, nothing is kept.
  }
}
