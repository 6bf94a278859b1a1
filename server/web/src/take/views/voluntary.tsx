// The place of the voluntary questions on the page at the end.
import { call, fits } from '../../shared/api.ts'
import { contentLanguage, language, text } from '../../shared/i18n.tsx'
import { api } from '../server.ts'
import type { voluntary as Show } from '../voluntary.ts'
import address from '../voluntary.ts?url'

const load = (place: HTMLElement | null) => {
  const show = (part: { voluntary: typeof Show }) =>
    part.voluntary(place!, { api, call, fits, text, language, contentLanguage })
  // Without this part, nothing is asked. A reload tries again.
  if (place) import(address).then(show, () => {})
}

/** Voluntary is filled by a script of its own. */
export const Voluntary = () => <section ref={load} />
