// The dialogs in one file for lazy.ts.

// A file that needs only a part of the code that all screens share divides that code, and the first load grows.
import './candidate.tsx'

export { CancelDialog, EraseDialog, LinkDialog } from './dialogs.tsx'
export { ChangeDialog, ExtendDialog, ResendDialog } from './forms.tsx'
export { ReopenDialog } from './reopen.tsx'
