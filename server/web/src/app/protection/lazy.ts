// Data protection: few people need it, and rarely. The settings, assessments, and candidates load it after themselves.
import { lazy } from '../core/lazy.ts'
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import type texts from './en.json'
import en from './en.json?url'

type ProtectionTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends ProtectionTexts {}
}

async function withTexts<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, loadTexts({ de, en })])
  return loaded
}

const all = () => withTexts(import('./all.ts'))
export const Retention = lazy(async () => (await all()).Retention)
export const Holds = lazy(async () => (await all()).Holds)
export const PersonSearch = lazy(async () => (await all()).PersonSearch)
export const OfAssessment = lazy(async () => (await all()).OfAssessment)
export const Deletion = lazy(async () => (await withTexts(import('./deletion.tsx'))).Deletion)
export const DeletionBanner = lazy(async () => (await withTexts(import('./banner.tsx'))).DeletionBanner)

const ofCandidate = () => withTexts(import('./hold.tsx'))
export const HoldNote = lazy(async () => (await ofCandidate()).HoldNote)
export const SetHold = lazy(async () => (await ofCandidate()).SetHold)
