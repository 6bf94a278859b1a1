// How far a score is from a gate or a passing score, in words.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { duration, number, percent } from '../core/formats.tsx'

/** distance returns, for example, "7 points below the gate of 60%". Points are those of the percentage. */
export function gateWords({ score, gate }: Pick<Schemas['ResultStage'], 'score' | 'gate'>): string {
  if (score === null) return text('candidate.stage.notReached')
  if (!gate) return text('candidate.stage.noGate')
  const values = { gate: percent(gate.minScore) }
  const away = Math.round(10 * (score - gate.minScore)) / 10
  if (Math.abs(away) < 0.05) {
    return text(score < gate.minScore ? 'candidate.gate.justBelow' : 'candidate.gate.exactly', values)
  }
  const points = number(Math.abs(away), 1)
  const key = away > 0 ? 'candidate.gate.above' : 'candidate.gate.below'
  // The plural form follows the number as it is written.
  return text(key, { ...values, points, count: Math.abs(away) })
}

/** stageWords returns the whole sentence about a stage. */
export function stageWords(stage: Schemas['ResultStage']): string {
  const parts = [gateWords(stage)]
  if (stage.gate && !stage.gate.required && stage.gate.passed === false) parts.push(text('candidate.gate.stopsNobody'))
  if (stage.score !== null) {
    parts.push(
      text('candidate.stage.points', { points: number(stage.points ?? 0, 2), max: number(stage.maxPoints, 2) }),
    )
  }
  if (stage.durationSeconds !== null) parts.push(duration(stage.durationSeconds))
  return parts.join(' · ')
}

/** isBelow reports whether the stage is below its gate. */
export const isBelow = ({ gate }: Pick<Schemas['ResultStage'], 'gate'>) => gate?.passed === false
