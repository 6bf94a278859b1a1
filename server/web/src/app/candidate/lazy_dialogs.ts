// Dialogs and forms of the screen, which are loaded when they are opened.
import { lazy } from '../core/lazy.ts'
import { withProtectionTexts } from '../protection/texts.ts'
import { withTexts } from './with_texts.ts'

const dialogs = () => import('./all_dialogs.ts')
export const LinkDialog = lazy(async () => (await dialogs()).LinkDialog)
export const CancelDialog = lazy(async () => (await withTexts(dialogs())).CancelDialog)
// A legal hold can refuse it.
export const EraseDialog = lazy(async () => (await withProtectionTexts(withTexts(dialogs()))).EraseDialog)
export const ResendDialog = lazy(async () => (await withTexts(dialogs())).ResendDialog)
export const ExtendDialog = lazy(async () => (await withTexts(dialogs())).ExtendDialog)
export const ChangeDialog = lazy(async () => (await withTexts(dialogs())).ChangeDialog)
export const ReopenDialog = lazy(async () => (await withTexts(dialogs())).ReopenDialog)
export const CountDialog = lazy(async () => (await withTexts(dialogs())).CountDialog)
export const DeleteComment = lazy(async () => (await dialogs()).DeleteComment)
export const DeleteNote = lazy(async () => (await dialogs()).DeleteNote)
export const EditComment = lazy(async () => (await dialogs()).EditComment)
export const ProgressCard = lazy(async () => (await withTexts(dialogs())).ProgressCard)
export const AddTag = lazy(async () => (await dialogs()).AddTag)

// It has the email about a decision, with its texts.
export const ChangeState = lazy(async () => {
  const [{ ChangeState }, { loadEmailTexts }] = await Promise.all([dialogs(), import('../decision_email/load.ts')])
  await loadEmailTexts()
  return ChangeState
})

export const GradeDialog = lazy(async () => (await withTexts(import('../decision/grade_dialog.tsx'))).GradeDialog)

export const Explanation = lazy(async () => (await import('../explanation/load.ts')).loadExplanation())

export const ShareDialog = lazy(async () => (await import('../result_links/load.ts')).loadShareDialog())
