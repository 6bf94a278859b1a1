// The rows to invite, and what the server says about each.
import type { Schemas } from '../core/api.ts'
import { text } from '../../shared/i18n.tsx'
import { fieldFault, hasText } from '../core/faults.ts'
import type { FieldName, Row, Values } from './columns.ts'
import type { History } from './history.tsx'
import { addressKey } from '../../shared/text.ts'

/** READY can be invited, EXISTING has an open invite, BEFORE has attempted the assessment, DUPLICATE is in the table twice, FAULTY needs a change. */
export type State = 'CHECKING' | 'READY' | 'EXISTING' | 'BEFORE' | 'DUPLICATE' | 'FAULTY'

export interface Candidate extends Row {
  id: number
  state: State
  /** Why the row is FAULTY, by field. The key "row" is for the whole row. */
  faults: Partial<Record<FieldName | 'row', string>>
  /** The row with the same address, for a DUPLICATE. */
  sameAs?: number | undefined
  /** The fields stay open for changes once the row had a fault. */
  isOpen: boolean
  session?: Schemas['BulkSession'] | undefined
  /** What the person has done before, if there is anything. */
  history?: History | undefined
  /** Whether the member has decided to invite a candidate who is BEFORE. */
  isChosen?: boolean | undefined
}

export type Invite = Schemas['CandidateSessionCreate']

export interface Settings {
  assessmentId: string
  sendEmail: boolean
}

const fieldsOf: Record<string, FieldName> = {
  candidateName: 'name',
  candidateEmail: 'email',
  externalId: 'externalId',
  extraTimePercent: 'extraTime',
}

/** percentOf reads "25", "25 %", or an empty cell. It returns undefined for other texts. */
export function percentOf(cell: string): number | undefined {
  if (cell.trim() === '') return 0
  const found = /^(\d{1,3})(?:[.,]0+)?\s*%?$/.exec(cell.trim())
  return found ? Number(found[1]) : undefined
}

export function inviteOf({ name, email, externalId, extraTime }: Values, settings: Settings, isAgain = false): Invite {
  return {
    ...settings,
    candidateName: name,
    candidateEmail: email,
    ...(externalId && { externalId }),
    ...(percentOf(extraTime) && { extraTimePercent: percentOf(extraTime)! }),
    ...(isAgain && { allowRepeat: true }),
    onExisting: 'RETURN',
  }
}

export function candidatesOf(rows: Row[]): Candidate[] {
  return markDuplicates(rows.map((row, id) => ({ ...row, id, state: 'CHECKING', faults: {}, isOpen: false })))
}

/** markDuplicates finds rows with the address of an earlier row. The first one counts. */
export function markDuplicates(candidates: Candidate[]): Candidate[] {
  const lines = new Map<string, number>()
  return candidates.map((candidate) => {
    const address = addressKey(candidate.values.email)
    const sameAs = address ? lines.get(address) : undefined
    if (sameAs === undefined && address) lines.set(address, candidate.line)
    if (sameAs !== undefined) return { ...candidate, state: 'DUPLICATE', sameAs, faults: {}, session: undefined }
    // The row that was the first is gone or has another address.
    return candidate.state === 'DUPLICATE' ? { ...candidate, state: 'CHECKING', sameAs: undefined } : candidate
  })
}

/** ownFault returns what the browser can say without the server. */
export function ownFault({ values }: Candidate): Candidate['faults'] | undefined {
  return percentOf(values.extraTime) === undefined ? { extraTime: text('invite.fault.extraTime') } : undefined
}

/** withOutcome is the candidate with the outcome of a row of the request, and what the person has done before. */
export function withOutcome(candidate: Candidate, { outcome, session, error }: Schemas['BulkRow'], before: History | undefined): Candidate {
  const isRefused = error?.code === 'candidate_attempted_before'
  if (outcome === 'FAILED' && !isRefused) return { ...candidate, state: 'FAULTY', faults: faultsOf(error), isOpen: true }
  const history = before?.latest ? before : undefined
  const state = outcome === 'EXISTING' ? 'EXISTING' : history ? 'BEFORE' : isRefused ? 'FAULTY' : 'READY'
  return { ...candidate, state, faults: state === 'FAULTY' ? faultsOf(error) : {}, session: session ?? undefined, history }
}

/** faultsOf reads why a row was refused. */
export function faultsOf(error: Schemas['BulkError'] | null): Candidate['faults'] {
  const faults: Candidate['faults'] = {}
  for (const fault of error?.errors ?? []) {
    const name = fault.pointer.replace(/^.*\//, '')
    const field = fieldsOf[name]
    const own = `invite.fault.${name}.${fault.code}`
    if (field) faults[field] ??= hasText(own) ? text(own) : fieldFault(fault)
  }
  const own = [`invite.fault.${error?.code}`, `problem.${error?.code}`].find(hasText)
  if (own) faults.row = text(own)
  else if (Object.keys(faults).length === 0) faults.row = error?.detail ?? ''
  return faults
}
