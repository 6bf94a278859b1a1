// Whether answers are saved, of the page and of one question.
import { useComputed } from '@preact/signals'
import { Icon } from '../../shared/icons.tsx'
import { shortTime, text } from '../../shared/i18n.tsx'
import { isInvalid, type Question } from '../answers.ts'
import { entries, lastSaved, offlineSince, saver, unsent } from '../saving.ts'

/** SaveStatus says whether all answers are saved. */
export function SaveStatus() {
  const state = stateOfPage()
  const icon =
    unsent.value.length > 0
      ? offlineSince.value === undefined
        ? undefined
        : 'cloudOff'
      : state === ''
        ? undefined
        : 'check'
  return (
    <span class={icon === 'check' ? 'saved good' : 'saved'}>
      {icon && <Icon name={icon} />}
      {state}
    </span>
  )
}

function stateOfPage(): string {
  const open = unsent.value
  if (open.length === 0) {
    return lastSaved.value === undefined ? '' : text('save.saved', { time: shortTime(new Date(lastSaved.value)) })
  }
  if (open.every((entry) => entry.conflict)) return text('save.conflict')
  const isStuck = open.every(({ conflict, blocked, refused }) => conflict || blocked || refused !== undefined)
  return text(isStuck ? 'state.unsaved' : offlineSince.value === undefined ? 'save.saving' : 'save.waiting')
}

/** QuestionStatus says whether the answer to the question is saved. */
export function QuestionStatus({ question }: { question: Question }) {
  const words = useComputed(() => {
    const entry = entries.value.get(question.id)
    const state = saver.saveState(question.id)
    // An entry that cannot be an answer is not saved. The field says so.
    if (state === 'none' || isInvalid(entry?.typed, question)) return ''
    return text(`save.${state}`, { time: shortTime(new Date(entry!.savedAt ?? 0)) })
  }).value
  return <span class="saved">{words}</span>
}
