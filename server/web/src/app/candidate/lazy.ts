// Parts of the screen that are loaded when they are shown, because most visits do not need them.
import { lazy } from '../core/lazy.ts'

const dialogs = () => import('./all_dialogs.ts')
export const LinkDialog = lazy(async () => (await dialogs()).LinkDialog)
export const CancelDialog = lazy(async () => (await dialogs()).CancelDialog)
export const EraseDialog = lazy(async () => (await dialogs()).EraseDialog)
export const ResendDialog = lazy(async () => (await dialogs()).ResendDialog)
export const ExtendDialog = lazy(async () => (await dialogs()).ExtendDialog)
export const ChangeDialog = lazy(async () => (await dialogs()).ChangeDialog)
export const ReopenDialog = lazy(async () => (await dialogs()).ReopenDialog)
export const GradeDialog = lazy(async () => (await dialogs()).GradeDialog)
export const CountDialog = lazy(async () => (await dialogs()).CountDialog)
export const DeleteComment = lazy(async () => (await dialogs()).DeleteComment)
export const DeleteNote = lazy(async () => (await dialogs()).DeleteNote)
export const EditComment = lazy(async () => (await dialogs()).EditComment)

const parts = () => import('./later.ts')
export const History = lazy(async () => (await parts()).History)
export const PlannedEmail = lazy(async () => (await parts()).PlannedEmail)
