// The figures of a result.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { duration, number, percent } from '../core/formats.tsx'
import { Bar } from './bars.tsx'

type Result = Schemas['Result']

export function Summary({ result }: { result: Result }) {
  const { score, points, maxPoints, passingScore, percentile, durationSeconds } = result
  return (
    <dl class="figures candidate-figures">
      <div>
        <dt>{text('candidate.figure.score')}</dt>
        <dd class="value">{percent(score)}</dd>
        <dd>
          <Bar value={score} mark={passingScore} isBelow={passingScore !== null && score < passingScore} />
        </dd>
        <dd class="small muted">
          {text('candidate.stage.points', { points: number(points, 2), max: number(maxPoints, 2) })}
        </dd>
      </div>
      <div>
        <dt>{text('candidate.figure.result')}</dt>
        <dd class="value">{verdictOf(result)}</dd>
        <dd class="small muted">{reasonOf(result)}</dd>
      </div>
      <div>
        <dt>{text('candidate.figure.percentile')}</dt>
        <dd class="value">{percentile === null ? '–' : number(percentile)}</dd>
        <dd class="small muted">{percentileWords(result)}</dd>
      </div>
      <div>
        <dt>{text('candidate.figure.time')}</dt>
        <dd class="value">{duration(durationSeconds)}</dd>
        <dd class="small muted">
          {result.closeReason === 'TIME_EXPIRED' ? text('candidate.timeExpired') : text('candidate.submitted')}
        </dd>
      </div>
    </dl>
  )
}

function verdictOf({ passed, status }: Result): string {
  if (status === 'DISQUALIFIED') return text('candidate.verdict.stopped')
  if (passed === null) return text('candidate.verdict.finished')
  return text(passed ? 'candidate.passed' : 'candidate.notPassed')
}

function reasonOf({ score, passingScore, disqualification }: Result): string {
  if (disqualification) return text('candidate.verdict.gate', { stage: disqualification.stageTitle })
  if (passingScore === null) return text('candidate.verdict.noPassingScore')
  const values = { score: percent(passingScore) }
  const away = Math.round(10 * Math.abs(score - passingScore)) / 10
  if (away < 0.05) return text('candidate.verdict.exactly', values)
  const key = score > passingScore ? 'candidate.verdict.above' : 'candidate.verdict.below'
  return text(key, { ...values, points: number(away, 1), count: away })
}

/** percentileWords says what the percentile means, or why there is none. */
export function percentileWords({ percentile, status }: Pick<Result, 'percentile' | 'status'>): string {
  if (percentile !== null) return text('candidate.percentile.words', { share: percent(percentile, 0) })
  return text(status === 'COMPLETED' ? 'candidate.percentile.few' : 'candidate.percentile.notFinished')
}
