// What was found about a person is loaded with the first search, with the names of the statuses.
import candidatesDe from '../candidates/de.json?url'
import candidatesEn from '../candidates/en.json?url'
import { lazy } from '../core/lazy.ts'
import { loadTexts } from '../core/texts.ts'

export const PersonData = lazy(async () => {
  const [part] = await Promise.all([import('./person_data.tsx'), loadTexts({ de: candidatesDe, en: candidatesEn })])
  return part.PersonData
})
