// Where the candidate is within a stage, as the page's fragment. Each view has an
// entry in the browser's history, so that Back returns to the earlier view.
import { signal } from '@preact/signals'

export type View = { name: 'question'; number: number } | { name: 'overview' | 'confirm' | 'all' | 'practice' | 'start' }

export const view = signal<View>(parse(location.hash))

/** parse is the view of a fragment. */
export function parse(hash: string): View {
  const number = /^#q([1-9]\d{0,2})$/.exec(hash)?.[1]
  if (number) return { name: 'question', number: Number(number) }
  for (const name of ['overview', 'confirm', 'all', 'practice'] as const) if (hash === `#${name}`) return { name }
  return { name: 'start' }
}

/** fragment is the part of the address that shows the view. */
export function fragment(to: View): string {
  return to.name === 'question' ? `#q${to.number}` : to.name === 'start' ? '' : `#${to.name}`
}

/** go shows a view. With `replace`, Back does not return to the current one. */
export function go(to: View, options: { replace?: boolean } = {}): void {
  const address = '/take' + fragment(to)
  if (options.replace) history.replaceState(null, '', address)
  else if (fragment(to) !== location.hash) history.pushState(null, '', address)
  view.value = to
}

export const toQuestion = (number: number): View => ({ name: 'question', number })

addEventListener('popstate', () => {
  view.value = parse(location.hash)
})
