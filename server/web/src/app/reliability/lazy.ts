// The card of the overview. It loads its own texts, because the texts of the overview belong to the first load.
import { lazy } from '../core/lazy.ts'
import { withReliabilityTexts } from './texts.ts'

export const ReliabilityCard = lazy(async () => (await withReliabilityTexts(import('./card.tsx'))).ReliabilityCard)
