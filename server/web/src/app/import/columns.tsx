// The columns of a table and what they contain.
import { text } from '../../shared/i18n.tsx'
import type { Role, Sheet } from './csv.ts'

const roles: Role[] = [
  'question',
  'option',
  'options',
  'correct',
  'points',
  'type',
  'stage',
  'explanation',
  'tolerance',
  'ignored',
]

interface Props {
  sheet: Sheet
  columns: Role[]
  change(columns: Role[]): void
}

export function Columns({ sheet, columns, change }: Props) {
  const caption = text('import.columns')
  return (
    <section class="list import-columns">
      <header>
        <h2>{caption}</h2>
        <p class="muted small">{text('import.columns.text')}</p>
      </header>
      <div class="table-box" tabIndex={0} role="region" aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              <th>{text('import.column.name')}</th>
              <th>{text('import.column.example')}</th>
              <th>{text('import.column.role')}</th>
            </tr>
          </thead>
          <tbody>
            {sheet.headers.map((header, i) => (
              <tr key={i}>
                <td>{header || text('import.column.unnamed', { number: i + 1 })}</td>
                <td class="import-about muted">{sheet.rows.find(({ cells }) => cells[i])?.cells[i]}</td>
                <td>
                  <select
                    class="field small"
                    aria-label={text('import.column.roleOf', { name: header || String(i + 1) })}
                    value={columns[i]}
                    onChange={(event) => change(withRole(columns, i, event.currentTarget.value as Role))}
                  >
                    {roles.map((role) => (
                      <option key={role} value={role}>
                        {text(`import.role.${role}`)}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Only "option" can be the role of several columns. Another column loses its role to the changed one. */
function withRole(columns: Role[], at: number, role: Role): Role[] {
  return columns.map((current, i) => {
    if (i === at) return role
    return current === role && role !== 'option' ? 'ignored' : current
  })
}
