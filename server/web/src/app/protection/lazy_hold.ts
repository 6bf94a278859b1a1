// Few candidates are under a legal hold.
import { lazy } from '../core/lazy.ts'
import { withProtectionTexts } from './texts.ts'

const part = () => withProtectionTexts(import('./hold.tsx'))
export const HoldNote = lazy(async () => (await part()).HoldNote)
export const SetHold = lazy(async () => (await part()).SetHold)
