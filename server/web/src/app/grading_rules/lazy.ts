// The settings of an assessment load the part about grading after themselves, if people grade its answers.
import { lazy } from '../core/lazy.ts'
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import en from './en.json?url'

const files = { de, en }

export const GradingRules = lazy(async () => {
  const [part] = await Promise.all([import('./rules.tsx'), loadTexts(files)])
  return part.GradingRules
})
