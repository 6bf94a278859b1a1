// What a result, a gate, and the statistics mean, in words. The words follow what the server has decided. The numbers
// in them are the figures that it has compared.
import { list, text } from '../../shared/i18n.tsx'
import type { Schemas } from './api.ts'
import { duration, number, percent, score as shown } from './figures.ts'

type Result = Schemas['Result']
type Stage = Schemas['ResultStage']

/** The distance between two scores in percentage points. Both have two decimals, and so has their difference. */
const distance = (a: number, b: number) => Math.round(100 * Math.abs(a - b)) / 100

/** The plural form of the distance follows the number as it is written. */
const points = (away: number) => ({ points: number(away, 2), count: away })

/** outcomeWord says in one word how a session ended. */
export function outcomeWord({ passed, status }: Pick<Result, 'passed' | 'status'>): string {
  if (status === 'DISQUALIFIED') return text('candidate.verdict.stopped')
  if (passed === null) return text('candidate.verdict.finished')
  return text(passed ? 'candidate.passed' : 'candidate.notPassed')
}

type Scored = Pick<Result, 'score' | 'passingScore' | 'passed' | 'disqualification'>

/** reasonOf says why a session ended as outcomeWord says. */
export function reasonOf({ score, passingScore, passed, disqualification }: Scored): string {
  if (disqualification) return text('candidate.verdict.gate', { stage: disqualification.stageTitle })
  if (passingScore === null || passed === null) return text('candidate.verdict.noPassingScore')
  const mark = { score: shown(passingScore) }
  const away = distance(score, passingScore)
  if (passed !== score >= passingScore) return text(passed ? 'candidate.verdict.yes' : 'candidate.verdict.no', mark)
  if (away === 0) return text('candidate.verdict.exactly', mark)
  return text(passed ? 'candidate.verdict.above' : 'candidate.verdict.below', { ...mark, ...points(away) })
}

/** isBelowPassingScore is for the color of a bar. A candidate whom a gate stopped can have a score above it. */
export function isBelowPassingScore({ score, passingScore, passed, disqualification }: Scored): boolean {
  if (passingScore === null) return false
  return disqualification || passed === null ? score < passingScore : !passed
}

/** gateWords returns, for example, "7 percentage points below the gate of 60%". */
export function gateWords({ score, gate, status }: Pick<Stage, 'score' | 'gate'> & Partial<Stage>): string {
  if (status === 'IN_REVIEW' && (score === null || gate?.passed === null)) {
    return gate ? text('candidate.gate.open', { gate: shown(gate.minScore) }) : text('candidate.stage.open')
  }
  if (score === null) return text('candidate.stage.notReached')
  if (!gate || gate.passed === null) return text('candidate.stage.noGate')
  const mark = { gate: shown(gate.minScore) }
  const away = distance(score, gate.minScore)
  if (gate.passed !== score >= gate.minScore)
    return text(gate.passed ? 'candidate.gate.yes' : 'candidate.gate.no', mark)
  if (away === 0) return text('candidate.gate.exactly', mark)
  return text(gate.passed ? 'candidate.gate.above' : 'candidate.gate.below', { ...mark, ...points(away) })
}

/** stageWords returns the whole sentence about a stage. */
export function stageWords(stage: Stage): string {
  const parts = [gateWords(stage)]
  if (stage.gate?.passed === false) {
    if (!stage.gate.required) parts.push(text('candidate.gate.stopsNobody'))
    if (stage.gate.onFail === 'REVIEW') parts.push(text('candidate.gate.person'))
  }
  if (stage.score !== null) parts.push(pointsOf(stage.points ?? 0, stage.maxPoints))
  if (stage.durationSeconds !== null) parts.push(duration(stage.durationSeconds))
  return parts.join(' · ')
}

/** isBelow reports whether the stage is below its gate. */
export const isBelow = ({ gate }: Pick<Stage, 'gate'>) => gate?.passed === false

/** pointsOf returns, for example, "8.5 of 10 points". */
export function pointsOf(earned: number, max: number): string {
  return text('candidate.stage.points', { points: number(earned, 2), max: number(max, 2) })
}

/** percentileWords says what the percentile means, or why there is none. */
export function percentileWords({ percentile: value, status }: Pick<Result, 'percentile' | 'status'>): string {
  if (value !== null) return text('candidate.percentile.words', { share: shown(value) })
  return text(status === 'COMPLETED' ? 'candidate.percentile.few' : 'candidate.percentile.notFinished')
}

/** endWords says what ended a session. */
export function endWords({ closeReason }: Pick<Result, 'closeReason'>): string {
  switch (closeReason) {
    case 'TIME_EXPIRED':
      return text('candidate.timeExpired')
    case 'ABANDONED':
      return text('candidate.abandoned')
    case 'STAGE_GATE':
      return text('candidate.stoppedAtGate')
    default:
      return text('candidate.submitted')
  }
}

type Bin = Schemas['ScoreBin']

/** binRange is the range of scores of a bar. A score on a border belongs to the upper bar, and 100 to the last one. */
export function binRange({ from, to }: Pick<Bin, 'from' | 'to'>): string {
  const values = { from: shown(from), to: shown(to) }
  return text(to === 100 ? 'assessment.scores.fromTo' : 'assessment.scores.from', values)
}

/** isBinBelow reports whether all scores of a bar are below the passing score. The last bar contains 100. */
export const isBinBelow = ({ to }: Bin, mark: number | null) => mark !== null && to <= mark && to < 100

/** scoresWords describes the distribution of the scores. */
export function scoresWords({ count, median, lowerQuartile, upperQuartile }: Schemas['ScoreStatistics']): string {
  const [from, to] = [shown(lowerQuartile ?? 0), shown(upperQuartile ?? 0)]
  const middle =
    from === to ? text('assessment.scores.middleSame', { from }) : text('assessment.scores.middle', { from, to })
  return `${text('assessment.scores.text', { count, median: shown(median ?? 0) })} ${middle}`
}

type StageFigures = Schemas['StageStatistics']

/**
 * outOfTime is how many candidates ran out of time in a stage before the last one: its gate let them go on. It is 0 if
 * people decide about the gate, because the statistics do not say how they decided.
 */
export function outOfTime(stages: StageFigures[], index: number): number {
  const { gate, reached, failed } = stages[index]!
  const next = stages[index + 1]
  return next && gate?.onFail !== 'REVIEW' ? Math.max(0, reached - (gate?.required ? failed : 0) - next.reached) : 0
}

/** stageFiguresWords says how many candidates reached a stage, what its gate did, and how many ran out of time. */
export function stageFiguresWords(stage: StageFigures): string {
  const { outOfTimeCount: count } = stage
  const words = reachedWords(stage)
  return count > 0 ? list([words, text('assessment.stage.outOfTime', { count })]) : words
}

function reachedWords({ gate, reached, failed }: StageFigures): string {
  if (reached === 0) return text('assessment.stage.none')
  if (!gate) return text('assessment.stage.noGate', { count: reached })
  const values = { count: reached, failed: number(failed), gate: shown(gate.minScore) }
  if (gate.onFail === 'REVIEW') return text('assessment.stage.reviewed', values)
  return gate.required ? text('assessment.stage.stopped', values) : text('assessment.stage.reported', values)
}

/** medianOf is the median of a stage. The server knows it to one percent, so it cannot be compared with the gate. */
export function medianOf({ medianScore }: Pick<StageFigures, 'medianScore'>): string {
  return medianScore === null ? '–' : text('assessment.stages.about', { score: percent(medianScore) })
}

/** timesWords says how long most candidates took. The server knows it to two percent. */
export function timesWords({ p90Seconds }: Schemas['DurationStatistics']): string {
  if (p90Seconds === null) return text('assessment.figure.noTime')
  return text('assessment.figure.p90', { time: duration(p90Seconds, 'up') })
}
