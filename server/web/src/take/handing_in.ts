// The end of a stage: the candidate submits it, or its time is up.
import { effect, signal, untracked } from '@preact/signals'
import { announce } from '../shared/announce.ts'
import { text } from '../shared/i18n.tsx'
import { maxRows, type Row } from './entry.ts'
import { blocked, saver, unsent } from './saving.ts'
import { isOver, kept, load, locked, pause, phase, problem, stage, submitted } from './session.ts'
import { readOnly } from './tabs.ts'
import { left } from './time.ts'

/** What submitting waits for. Undefined if the candidate has not confirmed. */
export const handing = signal<'answers' | 'stage' | 'connection' | undefined>(undefined)
/** Whether the time is up and the server cannot be reached. */
export const stuck = signal(false)

/** The questions whose answers differ between two devices. The candidate chooses before submitting. */
export const conflicts = () => unsent.value.filter((entry) => entry.conflict)

/** How long a page without unsent answers waits when the time is up, in milliseconds. */
const othersFirst = 1500

// Increases with each submission and its cancellation, so that an earlier one stops.
let attempt = 0

/** submit sends the unsent answers and then hands in the stage. It tries again until the server answers. */
export async function submit(): Promise<void> {
  if (handing.value || locked.value) return
  const mine = ++attempt
  const { id } = stage.value!
  problem.value = false
  try {
    for (let wait = 1000; mine === attempt; wait = Math.min(2 * wait, 10_000)) {
      handing.value = 'answers'
      if (unsent.value.length > 0) await saver.flush()
      if (mine !== attempt || conflicts().length > 0) return
      handing.value = 'stage'
      // While answers are on their way, the same request with all of them would fail, too.
      const isReady = saver.changes().length === 0 || stage.value?.id !== id
      if ((isReady && (await handIn(id))) || mine !== attempt) return
      handing.value = 'connection'
      await pause(wait)
    }
  } finally {
    if (mine === attempt) cancel() // the button is alive again, whatever has happened
  }
}

/** cancel stops trying to submit. A request that is in flight can still reach the server. */
export function cancel(): void {
  attempt++
  handing.value = undefined
}

// handIn submits the stage with the answers that are still unsent, and names those that do not arrive. It returns
// whether the server answered. A stage that follows meanwhile, because another device has submitted, stays open.
async function handIn(id: string): Promise<boolean> {
  if (stage.value?.id !== id) return true
  const { clientId } = kept.value!
  const submitOnce = (rows: Row[], undelivered: string[]) =>
    saver.submit(id, clientId, rows.slice(0, maxRows), undelivered)
  let outcome = await submitOnce(saver.changes(true), [])
  // This request may pass where the other one did not. If it does not, the stage is submitted without these answers.
  if (outcome.kind === 'unavailable' && blocked.value.length > 0) {
    outcome = await submitOnce(saver.changes(), blocked.value)
  }
  if (outcome.kind === 'unavailable') return false
  if (stage.value?.id !== id) return true
  await submitted(outcome.kind === 'ok' ? outcome.data.serverTime : undefined)
  problem.value = outcome.kind === 'refused' && stage.value?.id === id
  return true
}

/** resync asks the server for the time, the deadlines, and other changes of the session. */
export async function resync(): Promise<void> {
  // Back to the page at the end needs a fresh result token.
  const isOpen = ['working', 'stageIntro', 'ended'].includes(phase.value)
  if (isOpen && !readOnly.value && !locked.value) await load(true)
}

/** timeIsUp locks the fields and asks the server for the outcome. Only the server decides that the time is up. */
async function timeIsUp(): Promise<void> {
  if (locked.value) return
  const focused = document.activeElement
  locked.value = true
  cancel()
  if (phase.value === 'working') void saver.send()
  for (let wait = 1000; left.value === 0; wait = Math.min(1.5 * wait, 10_000)) {
    const isReached = await outcome().catch(() => false)
    if (!isReached && !stuck.value) announce(text('time.up.offline'), 'assertive')
    stuck.value = !isReached
    if (left.value === 0) await pause(wait)
  }
  locked.value = stuck.value = false
  // The lock has taken the focus from the field, which is unlocked with the next frame.
  setTimeout(() => {
    if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus()
  }, 50)
}

// outcome returns whether the server answered.
async function outcome(): Promise<boolean> {
  if (phase.value !== 'working') return load()
  const { id } = stage.value!
  const asked = await saver.ask()
  if (asked.kind !== 'ok') return asked.kind === 'refused'
  if (!isOver(asked.data.deadlineAt, asked.data.serverTime)) return true
  // Another device can have an answer that is on its way, and submitting refuses it.
  if (unsent.value.length === 0) await pause(othersFirst)
  else await saver.flush()
  return handIn(id)
}

effect(() => {
  if (left.value === 0 && !readOnly.value) untracked(() => void timeIsUp())
})
