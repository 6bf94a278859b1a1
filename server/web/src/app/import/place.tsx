// Where something stands in the source, as a button if the source is on the page.
import { text } from '../../shared/i18n.tsx'
import { number } from '../core/figures.ts'
import type { Lines } from './source.ts'

/** What the parts of the result need to know of the source. */
export interface Context {
  /** Whether the lines of the report are rows of a table. */
  isTable: boolean
  /** Shows lines of the source. Undefined for a file that is sent as it is. */
  show: ((lines: Lines) => void) | undefined
}

interface Props extends Context {
  line: number | null
  lastLine?: number | null
  itemId?: string | null
}

export function Place({ line, lastLine, itemId, isTable, show }: Props) {
  if (line === null) return itemId ? <span translate={false}>{itemId}</span> : null
  const last = lastLine ?? line
  const name = nameOf(line, last, isTable)
  if (!show) return <span>{name}</span>
  return (
    <button
      type="button"
      class="link-button"
      title={text('import.place.show')}
      onClick={(event) => {
        event.stopPropagation()
        show({ line, lastLine: last })
      }}
    >
      {name}
    </button>
  )
}

function nameOf(line: number, last: number, isTable: boolean): string {
  if (isTable) return text('import.place.row', { line: number(line) })
  if (line === last) return text('import.place.line', { line: number(line) })
  return text('import.place.lines', { first: number(line), last: number(last) })
}
