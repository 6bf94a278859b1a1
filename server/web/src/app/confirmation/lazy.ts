// Few people see the note, so the screens load it after themselves.
import { lazy } from '../core/lazy.ts'
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import en from './en.json?url'

const files = { de, en }

export const ConfirmEmail = lazy(async () => {
  const [part] = await Promise.all([import('./confirmation.tsx'), loadTexts(files)])
  return part.ConfirmEmail
})
