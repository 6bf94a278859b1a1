// The dialog with the explanation, and the texts of both: of the dialog in the language of the reader, and of the
// explanation in the language of the candidate.

import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import type texts from './en.json'
import en from './en.json?url'
import { Explanation } from './explanation.tsx'

type ExplanationTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends ExplanationTexts {}
}

export async function loadExplanation() {
  await loadTexts({ de, en })
  return Explanation
}
