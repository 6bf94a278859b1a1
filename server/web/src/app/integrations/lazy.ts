// Few organizations have an applicant tracking system, so the settings load this after themselves.
import { lazy } from '../core/lazy.ts'
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import type texts from './en.json'
import en from './en.json?url'

type IntegrationTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends IntegrationTexts {}
}

export const Integrations = lazy(async () => {
  const [part] = await Promise.all([import('./integrations.tsx'), loadTexts({ de, en })])
  return part.Integrations
})
