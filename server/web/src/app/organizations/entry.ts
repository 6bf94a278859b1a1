// What the dashboard loads for a person in several organizations, with the texts.
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import { Elsewhere } from './elsewhere.tsx'
import type texts from './en.json'
import en from './en.json?url'
import { openChoice } from './choice.tsx'

type OrganizationsTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends OrganizationsTexts {}
}

const files = { de, en }

async function withTexts<T>(part: T): Promise<T> {
  await loadTexts(files)
  return part
}

export const choose = async () => (await withTexts(openChoice))()
export const elsewhere = () => withTexts(Elsewhere)
