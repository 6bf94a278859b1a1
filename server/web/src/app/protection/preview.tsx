// What a retention would erase, and the question before it is saved.
import { rich, text } from '../../shared/i18n.tsx'
import type { Fault, Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { When } from '../core/formats.tsx'

export type Preview = Schemas['RetentionPreview']

/** Counted says in sentences what would be erased. */
export function Counted({ preview: { now, soon, held, oldestEndedAt, limited } }: { preview: Preview }) {
  return (
    <ul class="protection-below">
      <li>{now > 0 ? text('protection.preview.now', { count: now }) : text('protection.preview.nothingNow')}</li>
      {soon > 0 && <li>{text('protection.preview.soon', { count: soon })}</li>}
      {held > 0 && <li>{text('protection.preview.held', { count: held })}</li>}
      {oldestEndedAt && <li>{rich('protection.preview.oldest', { when: <When at={oldestEndedAt} /> })}</li>}
      {limited && <li>{text('protection.preview.limited')}</li>}
    </ul>
  )
}

interface QuestionProps {
  preview: Preview
  act(): Promise<Fault | undefined>
  close(): void
}

/** SaveQuestion names the number before the retention is saved. */
export function SaveQuestion({ preview, act, close }: QuestionProps) {
  const { now, soon } = preview
  return (
    <Confirm
      title={now > 0 ? text('protection.question.erase', { count: now }) : text('protection.question.save')}
      label={text('protection.question.submit')}
      isDanger={now > 0}
      act={act}
      close={close}
    >
      <Counted preview={preview} />
      {now + soon > 0 && <p class="protection-below">{text('protection.question.text')}</p>}
    </Confirm>
  )
}
