// Pools in words.
import { text } from '../../shared/i18n.tsx'
import type { Pool } from '../editor/model.ts'

export const nameOf = ({ title }: Pool, position: number): string =>
  title.trim() || text('editor.pool.number', { number: position })

/** drawnWords says what each candidate gets. How many questions match is not known while they are read. */
export function drawnWords({ count }: Pool, total: number | undefined): string {
  if (total === undefined) return text('pools.gets', { count })
  return total < count ? text('pools.few', { count: total, drawn: count }) : text('pools.drawn', { count, total })
}
