// What a person has typed and not saved. The tab keeps it for the person and the address of the screen, so that
// neither a link of the menu nor a reload loses it. Passwords and secrets never come here.
import { useState } from 'preact/hooks'
import { drafts as prefix, me } from './session.ts'

/** The characters of all drafts of a tab, of which the oldest are removed. Browsers permit about 5 million. */
const most = 2_000_000

interface Item {
  at: number
  value: unknown
}

const nameOf = (place: string) => `${prefix}${me.value?.id} ${place}`

/** placeOf is the place of a draft of this screen. */
export const placeOf = (name: string) => `${location.pathname} ${name}`

/** keep keeps a draft, or removes the one at the place. */
export function keep(place: string, value: unknown): void {
  const name = nameOf(place)
  try {
    const item = JSON.stringify({ at: Date.now(), value } satisfies Item)
    if (value === undefined || item.length > most) return sessionStorage.removeItem(name)
    sessionStorage.setItem(name, item)
    prune()
  } catch {
    // The browser permits no storage, or it is full. The draft then ends with the screen.
  }
}

function prune(): void {
  const items = Object.keys(sessionStorage).flatMap((name) => {
    const item = name.startsWith(prefix) && sessionStorage.getItem(name)
    return item ? [{ name, item }] : []
  })
  let length = items.reduce((sum, { item }) => sum + item.length, 0)
  if (length <= most) return
  const aged = items.map(({ name, item }) => ({ name, length: item.length, at: (JSON.parse(item) as Item).at }))
  for (const old of aged.sort((a, b) => a.at - b.at)) {
    if (length <= most) return
    sessionStorage.removeItem(old.name)
    length -= old.length
  }
}

/** kept returns the draft at a place, if there is one. */
export function kept<T>(place: string): T | undefined {
  try {
    const item = sessionStorage.getItem(nameOf(place))
    return item ? ((JSON.parse(item) as Item).value as T) : undefined
  } catch {
    return undefined
  }
}

/** dropDraft removes a draft of this screen, because it was saved in another way than by the button of its form. */
export const dropDraft = (name: string): void => keep(placeOf(name), undefined)

/**
 * useDraft is useState with a value that the tab keeps, for what is no field of a form. `isBack` says that it was kept.
 * `drop` begins again with the first value, and `forget` keeps the value on the screen only.
 */
export function useDraft<T>(name: string, first: () => T) {
  const [place] = useState(() => placeOf(name))
  const [state, setState] = useState(() => {
    const value = kept<T>(place)
    return { value: value ?? first(), isBack: value !== undefined }
  })
  return {
    ...state,
    set(value: T) {
      keep(place, value)
      setState(({ isBack }) => ({ value, isBack }))
    },
    forget: () => keep(place, undefined),
    drop() {
      keep(place, undefined)
      setState({ value: first(), isBack: false })
    },
  }
}
