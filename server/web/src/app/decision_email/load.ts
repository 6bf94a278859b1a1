// The texts of the email, which both screens with it load with the part that has it.

import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import type texts from './en.json'
import en from './en.json?url'

type EmailTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends EmailTexts {}
}

export const loadEmailTexts = () => loadTexts({ de, en })
