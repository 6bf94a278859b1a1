// What the dashboard loads of second factors, each with the texts.
import { loadTexts } from '../core/texts.ts'
import { AfterPassword, OwnerForm } from './after_password.tsx'
import de from './de.json?url'
import type texts from './en.json'
import en from './en.json?url'
import { askAgain } from './prove.tsx'
import { Security } from './security.tsx'
import { Setup } from './setup.tsx'

type SecondFactorTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends SecondFactorTexts {}
}

const files = { de, en }

async function withTexts<T>(part: T): Promise<T> {
  await loadTexts(files)
  return part
}

export const afterPassword = () => withTexts(AfterPassword)
export const ownerForm = () => withTexts(OwnerForm)
export const security = () => withTexts(Security)
export const setup = () => withTexts(Setup)
export const prove = async () => (await withTexts(askAgain))()
