// The states of candidates that have a retention of their own.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { SelectField, TextField } from '../core/forms.tsx'
import { newKey } from '../core/keys.ts'
import { Action } from '../core/page.tsx'
import { stateName } from '../core/review_state.ts'
import type { StateRow } from './entered.ts'

interface Props {
  rows: StateRow[]
  states: Schemas['ReviewState'][]
  /** Why the person cannot change them. */
  reason: string | undefined
  change(rows: StateRow[]): void
}

export function StateRows({ rows, states, reason, change }: Props) {
  const isFree = ({ id }: { id: string }) => !rows.some(({ stateId }) => stateId === id)
  const free = states.filter(isFree)
  const set = (key: string, changes: Partial<StateRow>) =>
    change(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)))
  return (
    <fieldset>
      <legend>{text('protection.states')}</legend>
      <p class="hint">{text('protection.states.hint')}</p>
      <ul class="settings-states">
        {rows.map((row, i) => {
          const name = nameIn(states, row.stateId)
          return (
            <li key={row.key}>
              <SelectField
                label={text('protection.states.state', { number: i + 1 })}
                pointer={`/states/${i}/stateId`}
                value={row.stateId}
                change={(stateId) => set(row.key, { stateId })}
                options={states
                  .filter((state) => state.id === row.stateId || isFree(state))
                  .map((state) => ({ value: state.id, label: stateName(state) }))}
              />
              <TextField
                label={text('protection.states.months')}
                pointer={`/states/${i}/months`}
                type="number"
                value={row.months}
                change={(months) => set(row.key, { months })}
              />
              <div class="settings-state-actions">
                <Action
                  isSmall
                  kind="quiet"
                  reason={reason}
                  label={text('protection.states.removeName', { name })}
                  act={() => change(rows.filter(({ key }) => key !== row.key))}
                >
                  {text('protection.states.remove')}
                </Action>
              </div>
            </li>
          )
        })}
      </ul>
      <Action
        isSmall
        act={() => change([...rows, { key: newKey(), stateId: free[0]!.id, months: '6' }])}
        reason={reason ?? (free.length === 0 ? text('protection.states.all') : undefined)}
      >
        {text('protection.states.add')}
      </Action>
    </fieldset>
  )
}

function nameIn(states: Schemas['ReviewState'][], id: string): string {
  const state = states.find((one) => one.id === id)
  return state ? stateName(state) : id
}
