// The distribution of the scores, and how many passed.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number, percent, score } from '../core/figures.ts'
import { Tip } from '../core/tip.tsx'
import { binRange, isBinBelow } from '../core/verdict.ts'

export function Scores({ statistics }: { statistics: Schemas['AssessmentStatistics'] }) {
  const { scores, passRate, passingScore } = statistics
  const shown = (value: number | null) => (value === null ? '–' : score(value))
  const plain = (value: number | null) => (value === null ? '–' : number(value, 2))
  const figures: [string, string][] = [
    [text('report.scores.count'), number(scores.count)],
    [text('report.scores.mean'), shown(scores.mean)],
    [text('report.scores.deviation'), plain(scores.standardDeviation)],
    [text('report.scores.skewness'), plain(scores.skewness)],
    [text('report.scores.lower'), shown(scores.lowerQuartile)],
    [text('report.scores.median'), shown(scores.median)],
    [text('report.scores.upper'), shown(scores.upperQuartile)],
    [text('report.scores.passRate'), shown(passRate)],
  ]
  return (
    <section class="card">
      <h2>{text('report.scores')}</h2>
      <dl class="report-figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {scores.count > 0 && <Histogram bins={scores.bins} mark={passingScore} />}
    </section>
  )
}

const height = 100

/** Histogram has its counts above the bars, because paper has no hints. */
function Histogram({ bins, mark }: { bins: Schemas['ScoreBin'][]; mark: number | null }) {
  const top = Math.max(1, ...bins.map(({ count }) => count))
  return (
    <figure class="report-histogram">
      <div class="report-counts" aria-hidden="true">
        {bins.map(({ from, count }) => (
          <span key={from}>{count > 0 ? number(count) : ''}</span>
        ))}
      </div>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" role="img" aria-label={text('report.scores.label')}>
        {bins.map((bin) => {
          const size = (height * bin.count) / top
          return (
            <rect
              key={bin.from}
              class={isBinBelow(bin, mark) ? 'below' : undefined}
              x={bin.from + 0.4}
              y={height - size}
              width={bin.to - bin.from - 0.8}
              height={size}
            >
              <Tip text={text('report.scores.bar', { range: binRange(bin), count: bin.count })} />
            </rect>
          )
        })}
        {mark !== null && <line x1={mark} x2={mark} y1={0} y2={height} vector-effect="non-scaling-stroke" />}
      </svg>
      <p class="report-axis" aria-hidden="true">
        {[0, 25, 50, 75, 100].map((value) => (
          <span key={value}>{percent(value)}</span>
        ))}
      </p>
      <figcaption class="small muted">
        {mark === null ? text('report.scores.caption') : text('report.scores.captionMark', { score: score(mark) })}
      </figcaption>
    </figure>
  )
}
