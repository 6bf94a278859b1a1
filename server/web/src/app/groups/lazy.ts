// The settings of an assessment load the voluntary questions after themselves.
import { lazy } from '../core/lazy.ts'
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import en from './en.json?url'

const files = { de, en }

export const VoluntaryQuestions = lazy(async () => {
  const [part] = await Promise.all([import('./settings.tsx'), loadTexts(files)])
  return part.VoluntaryQuestions
})
