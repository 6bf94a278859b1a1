// Asks the server about each row with a dry run, and keeps the rows.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, v1, type Fault } from '../core/api.ts'
import { candidatesOf, inviteOf, withOutcome, markDuplicates, ownFault, type Candidate, type Settings } from './candidates.ts'
import type { FieldName, Row } from './columns.ts'
import { lookUp } from './history.tsx'

export const batchSize = 500

export interface Checked {
  candidates: Candidate[]
  /** How many rows have their outcome. */
  done: number
  fault: Fault | undefined
  retry(): void
  change(id: number, field: FieldName, value: string): void
  remove(ids: number[]): void
  /** Decides whether a person is invited again after an earlier attempt. */
  choose(ids: number[], isChosen: boolean): void
}

/** useCheck checks the rows, again when the settings change, and a row again when the person has changed it. */
export function useCheck(rows: Row[], settings: Settings, edited: (rows: Row[]) => void): Checked {
  const [candidates, setCandidates] = useState<Candidate[]>(() => candidatesOf(rows))
  const [fault, setFault] = useState<Fault>()
  const latest = useRef(candidates)
  latest.current = candidates
  const isRunning = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const set = (next: Candidate[]) => setCandidates((latest.current = next))

  const run = async () => {
    if (isRunning.current) return
    isRunning.current = true
    for (;;) {
      const own = new Map(latest.current.filter(isWaiting).map((candidate) => [candidate.id, ownFault(candidate)]))
      if ([...own.values()].some(Boolean)) {
        set(latest.current.map((one) => (own.get(one.id) ? { ...one, state: 'FAULTY', faults: own.get(one.id)!, isOpen: true } : one)))
      }
      const batch = latest.current.filter(isWaiting).slice(0, batchSize)
      if (batch.length === 0) break
      const body = { rows: batch.map(({ values }) => inviteOf(values, settings)), dryRun: true }
      const answer = await ask(v1.POST('/v1/candidate-sessions/bulk', { body }))
      if (!answer.ok) {
        setFault(answer.fault)
        break
      }
      // An address that is empty or too long has a fault, and no history.
      const asked = batch.filter(({ values }) => values.email !== '' && values.email.length <= 254)
      const before = await lookUp(settings.assessmentId, asked.length > 0 ? asked.map(({ values }) => values.email) : ['-'])
      if (!before.ok) {
        setFault(before.fault)
        break
      }
      setFault(undefined)
      const outcomes = new Map(batch.map((candidate, i) => [candidate, answer.data.rows[i]!]))
      const histories = new Map(asked.map((candidate, i) => [candidate, before.data[i]]))
      // A row that was changed or removed meanwhile is another object.
      set(latest.current.map((one) => (outcomes.has(one) ? withOutcome(one, outcomes.get(one)!, histories.get(one)) : one)))
    }
    isRunning.current = false
  }
  useEffect(() => {
    set(latest.current.map((one) => (one.state === 'DUPLICATE' ? one : { ...one, state: 'CHECKING' })))
    void run()
    return () => clearTimeout(timer.current)
  }, [settings.assessmentId, settings.sendEmail])

  const runSoon = () => {
    edited(latest.current.map(({ line, values }) => ({ line, values })))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void run(), 400)
  }
  return {
    candidates,
    done: candidates.filter((candidate) => !isWaiting(candidate)).length,
    fault,
    retry: () => void run(),
    change(id, field, value) {
      const changed = (one: Candidate): Candidate => ({
        ...one,
        values: { ...one.values, [field]: value },
        state: 'CHECKING',
        isOpen: true,
        isChosen: false,
        session: undefined,
        history: undefined,
      })
      set(markDuplicates(latest.current.map((one) => (one.id === id ? changed(one) : one))))
      runSoon()
    },
    choose(ids, isChosen) {
      set(latest.current.map((one) => (ids.includes(one.id) ? { ...one, isChosen } : one)))
    },
    remove(ids) {
      set(markDuplicates(latest.current.filter((one) => !ids.includes(one.id))))
      runSoon()
    },
  }
}

const isWaiting = ({ state }: Candidate) => state === 'CHECKING'
