import { shortTime, text } from '../../shared/i18n.tsx'
import { lastSaved, offlineSince, unsent } from '../saver.ts'

/** SaveStatus says whether all answers are saved. */
export function SaveStatus() {
  const state = unsent.value.length === 0
    ? lastSaved.value === undefined ? '' : text('save.saved', { time: shortTime(new Date(lastSaved.value)) })
    : offlineSince.value === undefined ? text('save.saving') : text('save.waiting')
  return <span class="saved">{state}</span>
}
