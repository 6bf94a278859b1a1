// The card of the overview. It loads its texts itself, because those of the screen are part of the first load.
import { lazy } from '../core/lazy.ts'
import { withReliabilityTexts } from './texts.ts'

export const ReliabilityCard = lazy(async () => (await withReliabilityTexts(import('./card.tsx'))).ReliabilityCard)
