// The dialog that changes the points of one answer.
import { text } from '../../shared/i18n.tsx'
import { Dialog } from '../core/dialogs.tsx'
import { GradeForm, type GradeProps } from './grade_form.tsx'

export type { GradeProps } from './grade_form.tsx'

export function GradeDialog({ close, ...props }: GradeProps & { canWithdraw: boolean; close(): void }) {
  return (
    <Dialog title={text('candidate.grade.title', { number: props.question.order })} close={close}>
      <p class="muted">{text('candidate.grade.text')}</p>
      <GradeForm
        {...props}
        done={close}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      />
    </Dialog>
  )
}
