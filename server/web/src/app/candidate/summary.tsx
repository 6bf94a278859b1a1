// The figures of a result.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { duration, percentile as percentileOf, score as shown } from '../core/figures.ts'
import { endWords, isBelowPassingScore, outcomeWord, percentileWords, pointsOf, reasonOf } from '../core/verdict.ts'
import { Bar } from './bars.tsx'

type Result = Schemas['Result']

export function Summary({ result }: { result: Result }) {
  const { score, points, maxPoints, passingScore, percentile, durationSeconds } = result
  return (
    <dl class="figures candidate-figures">
      <div>
        <dt>{text('candidate.figure.score')}</dt>
        <dd class="value">{shown(score)}</dd>
        <dd>
          <Bar value={score} mark={passingScore} isBelow={isBelowPassingScore(result)} />
        </dd>
        <dd class="small muted">{pointsOf(points, maxPoints)}</dd>
      </div>
      <div>
        <dt>{text('candidate.figure.result')}</dt>
        <dd class="value">{outcomeWord(result)}</dd>
        <dd class="small muted">{reasonOf(result)}</dd>
      </div>
      <div>
        <dt>{text('candidate.figure.percentile')}</dt>
        <dd class="value">{percentile === null ? '–' : percentileOf(percentile)}</dd>
        <dd class="small muted">{percentileWords(result)}</dd>
      </div>
      <div>
        <dt>{text('candidate.figure.time')}</dt>
        <dd class="value">{duration(durationSeconds)}</dd>
        <dd class="small muted">{endWords(result)}</dd>
      </div>
    </dl>
  )
}
