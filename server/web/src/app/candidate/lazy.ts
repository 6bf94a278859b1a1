// Parts of the screen that only few candidates have.
import { lazy } from '../core/lazy.ts'
import { withTexts } from './with_texts.ts'

const parts = () => import('./later.ts')
export const EarlierNote = lazy(async () => (await withTexts(parts())).EarlierNote)
export const History = lazy(async () => (await withTexts(parts())).History)
export const LateAnswers = lazy(async () => (await withTexts(parts())).LateAnswers)
export const PlannedEmail = lazy(async () => (await parts()).PlannedEmail)
export const DecisionCard = lazy(async () => (await withTexts(import('../decision/card.tsx'))).DecisionCard)
export const Ruled = lazy(async () => (await withTexts(import('../decision/ruled.tsx'))).Ruled)
export const PrintAnswers = lazy(async () => (await import('./print_answers.tsx')).PrintAnswers)
