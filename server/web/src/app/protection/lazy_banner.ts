// The first load has only this, because the deletion of an organization is rarely scheduled.
import { lazy } from '../core/lazy.ts'
import { withProtectionTexts } from './texts.ts'

export const DeletionBanner = lazy(async () => (await withProtectionTexts(import('./banner.tsx'))).DeletionBanner)
