// The figures of a chart as a table.
import type { ComponentChildren } from 'preact'
import { text } from '../../shared/i18n.tsx'

interface Props {
  caption: string
  columns: string[]
  /** The first cell of a row is its header. */
  rows: ComponentChildren[][]
}

export function AsTable({ caption, columns, rows }: Props) {
  return (
    <details class="as-table">
      <summary>{text('chart.asTable')}</summary>
      <div class="table-box" tabIndex={0} role="region" aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, i) => (
                <th key={column} scope="col" class={i > 0 ? 'num' : undefined}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...rest], i) => (
              <tr key={i}>
                <th scope="row">{first}</th>
                {rest.map((cell, j) => (
                  <td key={j} class="num">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
