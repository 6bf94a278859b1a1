// Where the candidate is within a stage, as the page's fragment. Each view has an
// entry in the browser's history, so that Back returns to the earlier view.
import { signal } from '@preact/signals'

export type View =
  { name: 'question'; number: number } | { name: 'overview' | 'confirm' | 'all' | 'practice' | 'start' }

/** What the page stores in an entry of the history. */
interface State {
  /** The stage that the view belongs to. */
  stage?: string | undefined
  /** The number of entries of this page below this one. */
  depth: number
  /** The question that was shown last, up to this entry. */
  question?: number | undefined
}

export const view = signal<View>(parse(location.hash))
/** Whether the candidate has gone back from the first view of the stage, and the page asks what to do. */
export const leaving = signal(false)

let stage: string | undefined
let depth = 0 // of the current entry
let shownDepth = 0 // of the entry whose view is shown
/** The question that was shown last, if one was. */
let lastQuestion: number | undefined

const state = () => history.state as State | null

/** parse is the view of a fragment. */
export function parse(hash: string): View {
  const number = /^#q([1-9]\d{0,2})$/.exec(hash)?.[1]
  if (number) return { name: 'question', number: Number(number) }
  for (const name of ['overview', 'confirm', 'all', 'practice'] as const) if (hash === `#${name}`) return { name }
  return { name: 'start' }
}

/** fragment is the fragment of a view, for links. */
export function fragment(to: View): string {
  return to.name === 'question' ? `#q${to.number}` : to.name === 'start' ? '' : `#${to.name}`
}

/** go shows a view. With `replace`, Back does not return to the current one. */
export function go(to: View, options: { replace?: boolean } = {}): void {
  const address = location.pathname + fragment(to)
  const isNew = fragment(to) !== location.hash || state()?.stage !== stage
  if (!options.replace && isNew) depth++
  shownDepth = depth
  if (to.name === 'question') lastQuestion = to.number
  const entry: State = { stage, depth, question: lastQuestion }
  if (options.replace || !isNew) history.replaceState(entry, '', address)
  else history.pushState(entry, '', address)
  leaving.value = false
  view.value = to
}

export const toQuestion = (number: number): View => ({ name: 'question', number })

/** cameFrom is the number of the question that the candidate saw before the view that is shown. */
export const cameFrom = (): number | undefined => lastQuestion

/** enter shows the stage: where it was before a reload, or `last`. Back from there asks the candidate. */
export function enter(id: string, last: View): void {
  stage = id
  leaving.value = false
  depth = shownDepth = state()?.depth ?? 0
  lastQuestion = undefined
  if (state()?.stage === id) return seen(view.value)
  // The entry below the first view catches Back. Chromium skips it until the candidate has
  // used the page.
  const wanted = state() ? last : parse(location.hash)
  if (!state()) history.replaceState(null, '', location.pathname)
  go(wanted.name === 'start' || wanted.name === 'practice' ? last : wanted)
}

/** forgetView removes the view from the address, because its stage has ended. */
export function forgetView(): void {
  history.replaceState(history.state, '', location.pathname)
}

/** stay returns to the view that the candidate wanted to go back from. */
export function stay(): void {
  if (shownDepth > depth) history.go(shownDepth - depth)
  else leaving.value = false
}

/** leave goes back to where the candidate was before this page. */
export function leave(): void {
  history.go(-1 - depth)
}

/** seen remembers the question of a view that the browser has returned to. */
function seen(to: View): void {
  lastQuestion = to.name === 'question' ? to.number : (state()?.question ?? lastQuestion)
}

addEventListener('popstate', () => {
  // The link of an invitation was pasted into the address bar.
  if (location.hash.startsWith('#inv')) return location.reload()
  const to = parse(location.hash)
  const isTyped = !state() && to.name !== 'start'
  depth = isTyped ? depth + 1 : (state()?.depth ?? 0)
  leaving.value = stage !== undefined && !isTyped && state()?.stage !== stage
  if (leaving.value) return
  seen(to)
  if (isTyped) history.replaceState({ stage, depth, question: lastQuestion } satisfies State, '')
  shownDepth = depth
  view.value = to
})
