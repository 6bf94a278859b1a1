// The dialog with the links to a result, and its texts.

import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import type texts from './en.json'
import en from './en.json?url'
import { ShareDialog } from './share.tsx'

type LinkTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends LinkTexts {}
}

export async function loadShareDialog() {
  await loadTexts({ de, en })
  return ShareDialog
}
