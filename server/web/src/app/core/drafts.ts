// What a person has typed and not saved. The tab keeps it for the person and the address of the screen, so that
// neither a link of the menu nor a reload loses it. Passwords and secrets never come here.
import { useState } from 'preact/hooks'
import { trim } from '../storage/clearing.ts'
import { get, put } from '../storage/storage.ts'

/** The characters of all drafts of a tab. If they have more, the oldest are removed. Browsers permit about 5 million. */
const most = 2_000_000

/** placeOf is the place of a draft of this screen. */
export const placeOf = (name: string) => `${location.pathname} ${name}`

/** keep keeps a draft at a place. Without a value, it removes the draft there. */
export function keep(place: string, value: unknown): void {
  const isTooLong = value !== undefined && JSON.stringify(value).length > most
  put('draft', isTooLong ? undefined : value, place)
  trim(most)
}

/** kept returns the draft at a place, if there is one. */
export const kept = <T>(place: string): T | undefined => get<T>('draft', place)

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
