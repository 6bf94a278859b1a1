// What a person enters about a retention, and the request that it becomes.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { newKey } from '../core/keys.ts'

type Kind = 'INHERITED' | 'LIMITED' | 'UNLIMITED'

/** StateRow is a state with its own time. `key` is for Preact, because two rows can have the same state. */
export interface StateRow {
  key: string
  stateId: string
  months: string
}

export interface Entered {
  kind: Kind
  months: string
  notStarted: string
  states: StateRow[]
}

const most = 240

export function kindsOf(assessmentId: string | undefined): Kind[] {
  return assessmentId ? ['INHERITED', 'LIMITED', 'UNLIMITED'] : ['LIMITED', 'UNLIMITED']
}

export function enteredOf(retention: Schemas['Retention'], assessmentId: string | undefined): Entered {
  const { months, notStartedMonths, states, inherited } = retention
  return {
    kind: assessmentId && inherited ? 'INHERITED' : months === null ? 'UNLIMITED' : 'LIMITED',
    months: String(months ?? 12),
    notStarted: String(notStartedMonths ?? ''),
    states: states.map((state) => ({ key: newKey(), stateId: state.stateId, months: String(state.months) })),
  }
}

/** changeOf is the body of the request. A retention that is inherited is that of the organization. */
export function changeOf(entered: Entered, organization: Schemas['Retention']): Schemas['RetentionPut'] {
  if (entered.kind === 'UNLIMITED') return { months: null }
  if (entered.kind === 'INHERITED') {
    const { months, notStartedMonths, states } = organization
    return { months, notStartedMonths, states }
  }
  return {
    months: Number(entered.months),
    notStartedMonths: entered.notStarted.trim() ? Number(entered.notStarted) : null,
    states: entered.states.map(({ stateId, months }) => ({ stateId, months: Number(months) })),
  }
}

/** faultsOf checks the numbers. Returns texts by JSON Pointer. */
export function faultsOf({ kind, months, notStarted, states }: Entered): Record<string, string> {
  if (kind !== 'LIMITED') return {}
  const faults: Record<string, string> = {}
  const isCount = (typed: string, max: number) =>
    /^\d{1,3}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= max
  if (!isCount(months, most)) faults['/months'] = text('protection.retention.range', { max: most })
  const max = isCount(months, most) ? Number(months) : most
  const range = text('protection.retention.range', { max })
  if (notStarted.trim() && !isCount(notStarted, max)) faults['/notStartedMonths'] = range
  for (const [i, row] of states.entries()) if (!isCount(row.months, max)) faults[`/states/${i}/months`] = range
  return faults
}
