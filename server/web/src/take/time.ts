// The time that is left: of the stage while the candidate works on it, and of the
// session while a stage waits.
import { computed } from '@preact/signals'
import { now } from './clock.ts'
import { withExtra } from './durations.ts'
import { added, phase, stage, taking } from './session.ts'

const parsed = (at: string | null | undefined) => (at ? Date.parse(at) : undefined)
const until = (at: number | undefined) =>
  at === undefined ? undefined : Math.max(0, Math.ceil((at - now.value) / 1000))

/** The end of the time that runs now, in milliseconds, or undefined without a limit. */
export const deadline = computed(() => {
  // The deadline of a stage is never later than that of the session.
  if (phase.value === 'working') return parsed(stage.value?.deadlineAt)
  return phase.value === 'stageIntro' ? parsed(taking.value?.deadlineAt) : undefined
})

/** The whole seconds that are left, or undefined without a limit. */
export const left = computed(() => until(deadline.value))
/** The seconds that are left for the session, or undefined without a limit. */
export const sessionLeft = computed(() => until(parsed(taking.value?.deadlineAt)))

/** The length of the time that runs now, in seconds, with the extra time. */
export function total(): number {
  const { startedAt, deadlineAt, extraTimePercent } = taking.value!
  const own = phase.value === 'working' ? stage.value?.timeLimitMinutes : null
  const end = parsed(deadlineAt)
  if (end !== undefined && (own == null || end === deadline.value)) return (end - parsed(startedAt)!) / 1000
  return (withExtra(own ?? 0, extraTimePercent) + added.value) * 60
}
