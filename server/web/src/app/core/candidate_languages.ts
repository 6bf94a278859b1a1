// The languages of candidates: of their page, their emails, and the spreadsheets about them.
import names from '../../shared/candidate_languages.json'
import { fullScript } from '../../shared/languages.ts'
import type { Schemas } from './api.ts'

export type CandidateLanguage = Schemas['SpreadsheetLanguage']

// The contract has the list. The types fail if candidate_languages.json differs from it.
const all = names satisfies Record<CandidateLanguage, string>
export const candidateLanguages = Object.keys(all) as (keyof typeof all)[] satisfies CandidateLanguage[]

/**
 * candidateLanguage returns the language of candidates that a reader of the tag (BCP 47) reads: the same language in the
 * same script. A region is no difference: a reader of pt-PT gets pt-BR. zh-TW is not zh-Hans.
 */
export function candidateLanguage(tag: string | null | undefined): CandidateLanguage | undefined {
  const wanted = fullScript(tag)
  return candidateLanguages.find((own) => fullScript(own) === wanted)
}
