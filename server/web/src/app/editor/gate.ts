// The gate of a stage in words.
import { hasText } from '../core/faults.ts'
import { score } from '../core/figures.ts'
import { text } from '../../shared/i18n.tsx'
import type { Gate } from './model.ts'

/** gateText says in a sentence what a gate does. Of an outcome that is not known, it says only the pass mark. */
export function gateText({ minScore, onFail }: Gate): string {
  const key = `editor.gate.${onFail}.text`
  const mark = { score: score(minScore) }
  return hasText(key) ? text(key, mark) : text('editor.gate.other', mark)
}
