// The card of the overview. Its texts are not part of the first load, which has those of the screen of an assessment.
import { lazy } from '../core/lazy.ts'
import { withReliabilityTexts } from './texts.ts'

export const ReliabilityCard = lazy(async () => (await withReliabilityTexts(import('./card.tsx'))).ReliabilityCard)
