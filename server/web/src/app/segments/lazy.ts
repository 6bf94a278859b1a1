// Parts of the screens of an assessment that are loaded when they are shown.
import { lazy } from '../core/lazy.ts'
import { withSegmentTexts } from './texts.ts'

export const SegmentBar = lazy(async () => (await withSegmentTexts(import('./bar.tsx'))).SegmentBar)
export const Comparison = lazy(async () => (await withSegmentTexts(import('./comparison.tsx'))).Comparison)
