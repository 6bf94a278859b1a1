// Tables with sorting, selection, and pages.
import type { ComponentChildren } from 'preact'
import { text } from '../../shared/i18n.tsx'
import { cursorOf } from './api.ts'
import { Icon } from './icons.tsx'
import { useAddress } from './url.ts'

export interface Column<T> {
  id: string
  label: string
  cell(row: T): ComponentChildren
  /** The value of the parameter `sort`, without a minus. Columns without it cannot be sorted. */
  sort?: string
  /** Numbers stand at the right. */
  isNumber?: boolean
  /** Only screen readers need the label, for example above menus. */
  isLabelUnseen?: boolean
  /** Columns that a narrow window does not show, because the row's own screen does. */
  isMinor?: boolean
}

/** How rows are selected. What stands before each row belongs to the screen. */
export interface Selection<T> {
  head: ComponentChildren
  cell(row: T): ComponentChildren
  isSelected(row: T): boolean
  /** Selects the rows from the last one up to this one. */
  extend(row: T): void
}

interface Props<T> {
  /** What the table contains, for screen readers. */
  caption: string
  rows: T[]
  columns: Column<T>[]
  keyOf(row: T): string
  /** The address of the row's own screen. The whole row can be pressed; its first cell must contain the link. */
  hrefOf?(row: T): string
  /** The default of the parameter `sort`. */
  defaultSort?: string
  selection?: Selection<T>
}

export function Table<T>({ caption, rows, columns, keyOf, hrefOf, defaultSort, selection }: Props<T>) {
  const { query, change, go } = useAddress()
  const sort = query.sort ?? defaultSort ?? ''
  const open = (event: MouseEvent, row: T) => {
    // Links, buttons, and selected text in the row keep their own meaning.
    if (!hrefOf || (event.target as Element).closest('a, button, input, label, summary')) return
    if (event.shiftKey && selection) return selection.extend(row)
    if (getSelection()?.toString()) return
    if (event.metaKey || event.ctrlKey) window.open(hrefOf(row), '_blank', 'noopener')
    else go(hrefOf(row))
  }
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {selection && <th class="select">{selection.head}</th>}
            {columns.map((column) => (
              <Head
                key={column.id}
                column={column}
                sort={sort}
                change={(next) => change({ sort: next === defaultSort ? undefined : next, after: undefined, page: undefined })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              class={hrefOf && 'opens'}
              aria-selected={selection?.isSelected(row)}
              onClick={(event) => open(event, row)}
              onMouseDown={selection && keepText}
            >
              {selection && <td class="select">{selection.cell(row)}</td>}
              {columns.map((column) => (
                <td key={column.id} class={classOf(column)} data-label={column.label}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** keepText prevents that a click with Shift, which selects rows, also selects the text between them. */
function keepText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault()
}

function classOf<T>({ isNumber, isMinor }: Column<T>): string | undefined {
  return [isNumber && 'num', isMinor && 'minor'].filter(Boolean).join(' ') || undefined
}

function Head<T>({ column, sort, change }: { column: Column<T>; sort: string; change(sort: string): void }) {
  if (!column.sort) {
    return <th class={classOf(column)}>{column.isLabelUnseen ? <span class="unseen">{column.label}</span> : column.label}</th>
  }
  const isAscending = sort === column.sort
  const isDescending = sort === `-${column.sort}`
  const order = isAscending ? 'ascending' : isDescending ? 'descending' : 'none'
  return (
    <th class={classOf(column)} aria-sort={order}>
      <button type="button" onClick={() => change(isDescending ? column.sort! : `-${column.sort}`)}>
        {column.label}
        {order !== 'none' && <Icon name={isAscending ? 'up' : 'down'} />}
      </button>
    </th>
  )
}

/**
 * Pager links to the next page of a list, and back. The cursor is in the parameter `after`. The browser's
 * history knows the pages before this one.
 */
export function Pager({ response, count }: { response: Response | undefined; count: number }) {
  const address = useAddress()
  const next = response && cursorOf(response)
  const page = Number(address.query.page ?? 1)
  if (!next && page === 1) return null
  return (
    <nav class="pager" aria-label={text('pager.label')}>
      <span class="muted small">{text('pager.page', { page, count })}</span>
      <span class="grow" />
      {page > 1 && (
        <a class="button small" href={address.with({ after: undefined, page: undefined })}>
          {text('pager.first')}
        </a>
      )}
      {page > 2 && (
        <button type="button" class="button small" onClick={() => history.back()}>
          {text('pager.previous')}
        </button>
      )}
      {next && (
        <a class="button small" href={address.with({ after: next, page: String(page + 1) })}>
          {text('pager.next')}
        </a>
      )}
    </nav>
  )
}
