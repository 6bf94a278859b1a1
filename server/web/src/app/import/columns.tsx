// The columns of a table and what they contain.
import { text } from '../../shared/i18n.tsx'
import { hasText } from '../core/faults.ts'
import { roles, type Column, type Role } from './contract.ts'

interface Props {
  columns: Column[]
  change(columns: Role[]): void
}

/** roleText is the name of a role. */
function roleText(role: string): string {
  const key = `import.role.${role}`
  return hasText(key) ? text(key) : role
}

const nameOf = ({ name }: Column, i: number) => name || text('import.column.unnamed', { number: i + 1 })

/** The server can report a role of a later version, which cannot be sent. */
const roleOf = ({ role }: Column): Role => roles.find((known) => known === role) ?? 'IGNORED'

/** Ambiguous asks about each column that can be read in several ways. */
export function Ambiguous({ columns, change }: Props) {
  const asked = columns.map((column, i) => ({ column, i })).filter(({ column }) => column.choices.length > 0)
  if (asked.length === 0) return null
  return (
    <section class="card import-ambiguous">
      <h2>{text('import.ambiguous')}</h2>
      <p class="muted">{text('import.ambiguous.text')}</p>
      {asked.map(({ column, i }) => (
        <fieldset key={i}>
          <legend>{text('import.ambiguous.column', { name: nameOf(column, i), example: column.example })}</legend>
          {column.choices.map((role) => (
            <label key={role} class="tick">
              <input
                type="radio"
                name={`import-choice-${i}`}
                onChange={() => change(withRole(columns, i, role as Role))}
              />
              <span>{roleText(role)}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </section>
  )
}

export function Columns({ columns, change }: Props) {
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
            {columns.map((column, i) => (
              <tr key={i}>
                <td>{nameOf(column, i)}</td>
                <td class="import-example muted">{column.example}</td>
                <td>
                  <select
                    class="field small"
                    aria-label={text('import.column.roleOf', { name: nameOf(column, i) })}
                    value={roleOf(column)}
                    onChange={(event) => change(withRole(columns, i, event.currentTarget.value as Role))}
                  >
                    {roles.map((role) => (
                      <option key={role} value={role}>
                        {roleText(role)}
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
function withRole(columns: Column[], at: number, role: Role): Role[] {
  const kind = (role: Role) => role.replace(/^CORRECT_.*/, 'CORRECT')
  return columns.map((column, i) => {
    if (i === at) return role
    const current = roleOf(column)
    return role !== 'OPTION' && kind(current) === kind(role) ? 'IGNORED' : current
  })
}
