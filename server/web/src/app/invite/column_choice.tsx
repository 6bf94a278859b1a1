// Shows which column is what, with the first cells of each, and lets the person change it.
import { useEffect, useRef } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { kinds, type Kind, type Match } from './columns.ts'
import type { Cells } from './sheet.ts'

interface Props {
  cells: Cells
  name: string | undefined
  match: Match
  change(match: Match): void
  restart(): void
}

export function Columns({ cells, name, match, change, restart }: Props) {
  const { hasHeader, columns } = match
  const count = cells.length - (hasHeader ? 1 : 0)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.closest('section')?.scrollIntoView()
  }, [])
  const set = (index: number, kind: Kind) =>
    change({ hasHeader, columns: columns.map((other, i) => (i === index ? kind : other === kind && kind !== 'ignore' ? 'ignore' : other)) })
  const hasName = columns.some((kind) => kind === 'name' || kind === 'firstName' || kind === 'lastName')
  const missing = !columns.includes('email') ? 'email' : !hasName ? 'name' : undefined
  return (
    <section class="card invite-columns">
      <div class="invite-head">
        <h2 ref={heading} tabIndex={-1}>{name ? text('invite.columns.file', { name, count }) : text('invite.columns.pasted', { count })}</h2>
        <button type="button" class="button small" onClick={restart}>
          {text('invite.columns.restart')}
        </button>
      </div>
      {missing && (
        <div class="note warn" role="alert">
          <Icon name="warning" />
          <p>{text(missing === 'email' ? 'invite.columns.noEmail' : 'invite.columns.noName')}</p>
        </div>
      )}
      <details open={missing !== undefined}>
        <summary>{text('invite.columns.title')}</summary>
        <label class="tick">
          <input
            type="checkbox"
            checked={hasHeader}
            onChange={(event) => change({ columns, hasHeader: event.currentTarget.checked })}
          />
          {text('invite.columns.header')}
        </label>
        <ul class="column-list" role="list">
          {columns.map((kind, i) => (
            <li key={i}>
              <span class="cells">
                {hasHeader && <b>{cells[0]![i] || text('invite.columns.unnamed', { number: i + 1 })}</b>}
                <span class="muted small">{samplesOf(cells, i, hasHeader)}</span>
              </span>
              <Icon name="right" />
              <select
                class="field small"
                aria-label={text('invite.columns.choose', { name: (hasHeader && cells[0]![i]) || String(i + 1) })}
                value={kind}
                onChange={(event) => set(i, event.currentTarget.value as Kind)}
              >
                {kinds.map((option) => (
                  <option key={option} value={option}>
                    {text(`invite.column.${option}`)}
                  </option>
                ))}
              </select>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

function samplesOf(cells: Cells, column: number, hasHeader: boolean): string {
  return cells
    .slice(hasHeader ? 1 : 0)
    .map((row) => row[column] ?? '')
    .filter(Boolean)
    .slice(0, 3)
    .join(', ')
}
