// Parts of the screen that only few candidates have.
import { lazy } from '../core/lazy.ts'

const parts = () => import('./later.ts')
export const EarlierNote = lazy(async () => (await parts()).EarlierNote)
export const History = lazy(async () => (await parts()).History)
export const LateAnswers = lazy(async () => (await parts()).LateAnswers)
export const PlannedEmail = lazy(async () => (await parts()).PlannedEmail)

const withTexts = async <T>(part: Promise<T>): Promise<T> => {
  const [loaded, { loadDecisionTexts }] = await Promise.all([part, import('../decision/load.ts')])
  await loadDecisionTexts()
  return loaded
}
export const DecisionCard = lazy(async () => (await withTexts(import('../decision/card.tsx'))).DecisionCard)
export const Ruled = lazy(async () => (await withTexts(import('../decision/ruled.tsx'))).Ruled)
