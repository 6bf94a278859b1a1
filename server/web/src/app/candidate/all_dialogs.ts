// The parts for lazy_dialogs.ts in one file.

export { CancelDialog, EraseDialog, LinkDialog } from './dialogs.tsx'
export { ChangeDialog, ExtendDialog, ResendDialog } from './forms.tsx'
export { ReopenDialog } from './reopen.tsx'
export { CountDialog } from './count_dialog.tsx'
export { DeleteComment, DeleteNote } from './delete_comment.tsx'
export { EditComment } from './edit_comment.tsx'
export { ProgressCard } from './progress.tsx'
export { AddTag } from './add_tag.tsx'
export { ChangeState } from './change_state.tsx'
