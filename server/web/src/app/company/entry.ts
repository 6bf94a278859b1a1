// The sign-in with the provider of an organization, with its texts.
import { loadTexts } from '../core/texts.ts'
import { CompanyError, CompanyForm, CompanySignIn } from './company.tsx'
import de from './de.json?url'
import type texts from './en.json'
import en from './en.json?url'

type CompanyTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends CompanyTexts {}
}

const files = { de, en }

async function withTexts<T>(part: T): Promise<T> {
  await loadTexts(files)
  return part
}

export const error = () => withTexts(CompanyError)
export const form = () => withTexts(CompanyForm)
export const signIn = () => withTexts(CompanySignIn)
