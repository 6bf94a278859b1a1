// The settings of the organization and of an assessment load their parts after themselves.
import { lazy } from '../core/lazy.ts'
import { withProtectionTexts } from './texts.ts'

export const Deletion = lazy(async () => (await withProtectionTexts(import('./deletion.tsx'))).Deletion)
export const OfAssessment = lazy(async () => (await withProtectionTexts(import('./of_assessment.tsx'))).OfAssessment)
