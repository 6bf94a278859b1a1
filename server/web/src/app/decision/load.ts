// The texts about decisions and grades, and of the dialogs of a candidate's screen, which are loaded when they are needed.

import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import type texts from './en.json'
import en from './en.json?url'

type DecisionTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends DecisionTexts {}
}

export const loadDecisionTexts = () => loadTexts({ de, en })
