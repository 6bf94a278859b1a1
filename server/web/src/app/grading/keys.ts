// The keys of the grader's screen.
import { text } from '../../shared/i18n.tsx'
import { fieldsOf } from './rubric.tsx'

/** keyNames lists the keys for the help. */
export const keyNames = () => [
  { keys: '0 … 9', label: text('grading.key.points') },
  { keys: '↑ ↓', label: text('grading.key.move') },
  { keys: 'Enter', label: text('grading.key.save') },
  { keys: 'Ctrl+Enter', label: text('grading.key.saveComment') },
  { keys: 'C', label: text('grading.key.comment') },
  { keys: 'A', label: text('grading.key.answer') },
  { keys: 'S', label: text('grading.key.skip') },
  { keys: 'U', label: text('grading.key.undo') },
]

interface Acts {
  submit(): void
  skip(): void
  undo(): void
  answer(): void
  comment(): void
  help(): void
}

const letters: Record<string, keyof Acts> = { s: 'skip', u: 'undo', a: 'answer', c: 'comment', '?': 'help' }

/** pressed handles a key within the form. Texts, links, and further buttons keep their own keys. */
export function pressed(event: KeyboardEvent & { currentTarget: HTMLFormElement }, acts: Acts): void {
  const { key, target, currentTarget: form } = event
  const element = target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (element.closest('textarea, a, summary, dialog, button:not(.grading-choices button)')) return
  const fields = fieldsOf(form)
  const row = element.closest('li')?.querySelector('input')
  const index = fields.indexOf(row!)
  const act = key === 'Enter' ? 'submit' : letters[key.toLowerCase()]
  if (act) {
    event.preventDefault()
    // A key that is held down must not grade several answers.
    if (!event.repeat) acts[act]()
  } else if (row && (key === 'ArrowDown' || key === 'ArrowUp')) {
    event.preventDefault()
    const next = fields[index + (key === 'ArrowDown' ? 1 : -1)]
    if (next) next.focus()
    else if (key === 'ArrowDown') acts.comment()
  } else if (/^[\d.,]$/.test(key)) {
    // The browser types the key into the field that has the focus by then.
    if (element !== row) (row ?? fields[0])?.focus()
  } else if (key.length === 1 && element === row) {
    event.preventDefault() // a field for points has only digits
  }
}
