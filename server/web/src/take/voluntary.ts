// The voluntary questions at the end. The page loads this script only if the organization asks them. Without it,
// nothing is asked. It imports nothing, because it is a script of its own.
import type { ReadonlySignal } from '@preact/signals'
import type { API, Schemas, call as Call, fits as Fits } from '../shared/api.ts'
import type { Key, text as Text } from '../shared/i18n.tsx'

/** What this script needs from the page. */
export interface Page {
  api: API
  call: typeof Call
  fits: typeof Fits
  text: typeof Text
  language: ReadonlySignal<unknown>
  /** The language of the organization's texts. */
  contentLanguage: ReadonlySignal<string | undefined>
}

type Own = Schemas['OwnSelfIdentification']
type Reply = { data?: { data: Own } | undefined; error?: unknown; response: Response }

const path = '/v1/candidate/session/self-identification'
const shape: Own = {
  questions: [{ id: '', text: '', options: [{ id: '', text: '' }] }],
  answers: [{ questionId: '', optionId: '' }],
}

/** What the page says if the server refuses, by the status. */
const refusals: Record<number, Key> = { 401: 'link.replaced.title', 410: 'link.expired.title' }

/** voluntary shows the questions in an element of the page. */
export function voluntary(place: HTMLElement, { api, call, fits, text, language, contentLanguage }: Page): void {
  let own: Own | undefined
  let chosen = new Map<string, string>() // the answers by their questions
  let isOpen = true // whether the candidate can choose answers
  let isBusy = false
  let said: Key | undefined // after the latest request
  let problem: Key | undefined

  const title = element('h2', { tabindex: '-1' })
  const about = element('p', {})
  // Screen readers read the texts of elements that exist before.
  const status = element('p', { role: 'status' })
  const alert = element('div', { role: 'alert' })
  const questions = element('div', {})
  const actions = element('p', { class: 'go' })
  place.className = 'voluntary'
  place.append(title, about, status, questions, alert, actions)
  place.hidden = true

  /** say shows what changes while a request runs. Everything else stays, and with it the focus. */
  const say = () => {
    status.textContent = said ? text(said) : ''
    alert.replaceChildren(...(problem ? [element('p', { class: 'error' }, text(problem))] : []))
    for (const button of actions.children) button.setAttribute('aria-disabled', String(isBusy))
  }
  const show = () => {
    title.textContent = text('voluntary.title')
    about.textContent = text('voluntary.about')
    questions.replaceChildren(...((isOpen && own?.questions) || []).map(question))
    actions.replaceChildren(
      ...(!own
        ? [button('page.retry', load)]
        : isOpen
          ? [button('voluntary.send', () => send(chosen))]
          : [button('voluntary.change', change), button('voluntary.withdraw', () => send(new Map()))]),
    )
    say()
  }

  const question = ({ id, text: asked, options }: Own['questions'][number]) =>
    element(
      'fieldset',
      {},
      element('legend', {}, theirs(asked)),
      ...options.map((one) => option(id, one.id, theirs(one.text))),
      option(id, undefined, text('voluntary.none')),
    )
  const theirs = (words: string) => element('bdi', { lang: contentLanguage.value ?? '' }, words)
  const option = (asked: string, id: string | undefined, label: string | Node) => {
    const input = element('input', { type: 'radio', name: `voluntary-${asked}` })
    input.checked = chosen.get(asked) === id
    input.addEventListener('change', () => {
      if (id === undefined) chosen.delete(asked)
      else chosen.set(asked, id)
    })
    return element('label', { class: 'option' }, input, element('span', {}, label))
  }
  const button = (key: Key, act: () => unknown) => {
    const made = element('button', { type: 'button', class: 'button' }, text(key))
    made.addEventListener('click', () => !isBusy && act())
    return made
  }

  /** ask runs a request, and returns whether the server did it. */
  const ask = async (request: (signal: AbortSignal) => Promise<Reply>): Promise<boolean> => {
    isBusy = true
    said = problem = undefined
    say()
    const outcome = await call(request, (data) => fits(data, shape))
    isBusy = false
    if (outcome.kind === 'ok') {
      own = outcome.data
      chosen = new Map(own.answers.map(({ questionId, optionId }) => [questionId, optionId]))
      isOpen = chosen.size === 0
      place.hidden = own.questions.length === 0
      show()
      return true
    }
    // A refusal before the questions are known leaves nothing to show.
    if (!own) place.hidden = outcome.kind === 'refused'
    problem = outcome.kind === 'unavailable' ? 'page.unreachable.title' : (refusals[outcome.status] ?? 'page.again')
    say()
    return false
  }
  const load = () => ask((signal) => api.GET(path, { signal }))
  const send = async (chosen: Map<string, string>) => {
    const answers = [...chosen].map(([questionId, optionId]) => ({ questionId, optionId }))
    if (!(await ask((signal) => api.PUT(path, { body: { answers }, signal })))) return
    said = answers.length > 0 ? 'voluntary.saved' : 'voluntary.withdrawn'
    say()
    title.focus() // the button that had the focus is gone
  }
  const change = () => {
    isOpen = true
    said = undefined
    show()
    title.focus()
  }

  language.subscribe(show)
  void load()
}

/** element makes an element of the page. */
function element<N extends keyof HTMLElementTagNameMap>(
  name: N,
  attributes: Record<string, string>,
  ...children: (string | Node)[]
): HTMLElementTagNameMap[N] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}
