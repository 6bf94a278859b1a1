// The texts of emails are edited rarely, so the settings load them after themselves.
import { lazy } from '../core/lazy.ts'
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import en from './en.json?url'

const files = { de, en }

export const EmailTexts = lazy(async () => {
  const [part] = await Promise.all([import('./email_texts.tsx'), loadTexts(files)])
  return part.EmailTexts
})
