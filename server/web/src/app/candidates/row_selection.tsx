// The selection of rows of the list: one by one, all, or a range with Shift.
import { text } from '../../shared/i18n.tsx'
import type { Selection } from '../core/table.tsx'
import type { Session } from './sessions.ts'
import { nameOf } from './status.tsx'

/** The row from which a range begins: the last one that was selected or unselected in this list. */
export interface Anchor {
  /** What the list shows: its filters, its order, and its page. Another list has no anchor. */
  list?: string
  id?: string
  /** Whether Shift was down when the space bar was pressed. Some browsers do not say so in the click. */
  isShiftDown?: boolean
}

interface Options {
  list: string
  rows: Session[]
  selected: ReadonlyMap<string, Session>
  anchor: Anchor
  change(selected: ReadonlyMap<string, Session>): void
}

export function rowSelection({ list, rows, selected, anchor, change }: Options): Selection<Session> {
  const set = (changed: Session[], isSelected: boolean) => {
    const next = new Map(selected)
    for (const row of changed) {
      if (isSelected) next.set(row.id, row)
      else next.delete(row.id)
    }
    change(next)
  }
  const toggle = (row: Session, isRange: boolean) => {
    const first = isRange && anchor.list === list ? rows.findIndex(({ id }) => id === anchor.id) : -1
    const last = rows.indexOf(row)
    const range = first < 0 ? [row] : rows.slice(Math.min(first, last), Math.max(first, last) + 1)
    Object.assign(anchor, { list, id: row.id })
    set(range, !selected.has(row.id))
  }
  const count = rows.filter(({ id }) => selected.has(id)).length
  return {
    isSelected: ({ id }) => selected.has(id),
    extend: (row) => toggle(row, true),
    head: (
      <Box
        label={text('candidates.selectAll')}
        isChecked={count > 0 && count === rows.length}
        isPart={count > 0 && count < rows.length}
        toggle={() => set(rows, count < rows.length)}
        anchor={anchor}
      />
    ),
    cell: (row) => (
      <Box
        label={text('candidates.select', { name: nameOf(row) })}
        isChecked={selected.has(row.id)}
        toggle={(isRange) => toggle(row, isRange)}
        anchor={anchor}
      />
    ),
  }
}

interface BoxProps {
  label: string
  isChecked: boolean
  isPart?: boolean
  toggle(isRange: boolean): void
  anchor: Anchor
}

function Box({ label, isChecked, isPart = false, toggle, anchor }: BoxProps) {
  return (
    <label class="box">
      <span class="unseen">{label}</span>
      <input
        type="checkbox"
        checked={isChecked}
        indeterminate={isPart}
        onKeyDown={({ key, shiftKey }) => {
          if (key === ' ') anchor.isShiftDown = shiftKey
        }}
        onClick={(event) => {
          // A click with Shift does not move the focus by itself, see the table.
          event.currentTarget.focus()
          toggle(event.shiftKey || anchor.isShiftDown === true)
          anchor.isShiftDown = false
        }}
      />
    </label>
  )
}
