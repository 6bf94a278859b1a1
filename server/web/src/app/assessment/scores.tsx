// The distribution of scores, and the stages with their gates.
import { text } from '../../shared/i18n.tsx'
import { Meter } from '../candidate/bars.tsx'
import type { Schemas } from '../core/api.ts'
import { AsTable } from '../core/as_table.tsx'
import { duration, number, percent, score } from '../core/figures.ts'
import { binRange, isBinBelow, medianOf, scoresWords, stageFiguresWords } from '../core/verdict.ts'
import { Tip } from '../core/tip.tsx'

type Statistics = Schemas['AssessmentStatistics']

/** With fewer results, a distribution would mean little, and could show the scores of persons. */
export const enough = 5

export function Scores({ statistics }: { statistics: Statistics }) {
  const { scores, passingScore } = statistics
  const { count, bins } = scores
  return (
    <section class="card">
      <h2>{text('assessment.scores.title')}</h2>
      {count < enough ? (
        <p class="muted">{text('assessment.scores.few', { count, enough })}</p>
      ) : (
        <>
          <p class="muted">{scoresWords(scores)}</p>
          <Histogram bins={bins} mark={passingScore} />
          <AsTable
            caption={text('assessment.scores.title')}
            columns={[text('assessment.scores.range'), text('assessment.funnel.count')]}
            rows={bins.map((bin) => [binRange(bin), number(bin.count)])}
          />
        </>
      )}
    </section>
  )
}

/** ticksOf returns the counts at the lines of the chart: the top, and half of it if that is a whole number. */
export function ticksOf(highest: number): number[] {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, highest)))
  const top = [1, 2, 4, 5, 10].map((step) => step * size).find((value) => value >= highest) ?? highest
  return top % 2 === 0 ? [top, top / 2] : [top]
}

const height = 160

/** Histogram draws the bars without text, because text in a scaled picture is too small on a phone. */
function Histogram({ bins, mark }: { bins: Schemas['ScoreBin'][]; mark: number | null }) {
  const ticks = ticksOf(Math.max(...bins.map(({ count }) => count)))
  const top = ticks[0]!
  const side = mark === null ? '' : mark > 75 ? 'end' : mark < 25 ? 'start' : 'middle'
  return (
    <div class="histogram">
      {mark !== null && (
        <p class="mark-label small">
          <span class={side} style={{ insetInlineStart: `${mark}%` }}>
            {text('assessment.scores.passing', { score: score(mark) })}
          </span>
        </p>
      )}
      <div class="plot">
        {ticks.map((tick) => (
          <span key={tick} class="tick-line" style={{ bottom: `${(100 * tick) / top}%` }}>
            <span class="small muted">{number(tick)}</span>
          </span>
        ))}
        <svg
          viewBox={`0 0 100 ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={text('assessment.scores.label')}
        >
          {bins.map((bin) => {
            const size = (height * bin.count) / top
            const isBelow = isBinBelow(bin, mark)
            return (
              <rect
                key={bin.from}
                class={isBelow ? 'below' : undefined}
                x={bin.from + 0.5}
                y={height - size}
                width={bin.to - bin.from - 1}
                height={size}
              >
                <Tip text={text('assessment.scores.bar', { range: binRange(bin), count: bin.count })} />
              </rect>
            )
          })}
          {mark !== null && <line x1={mark} x2={mark} y1={0} y2={height} vector-effect="non-scaling-stroke" />}
        </svg>
      </div>
      <p class="axis small muted" aria-hidden="true">
        <span>{percent(0)}</span>
        <span>{percent(50)}</span>
        <span>{percent(100)}</span>
      </p>
    </div>
  )
}

export function Stages({ statistics }: { statistics: Statistics }) {
  const { stages } = statistics
  return (
    <section class="card">
      <h2>{text('assessment.stages.title')}</h2>
      <p class="muted">{text('assessment.stages.text')}</p>
      <div class="meters">
        {stages.map((stage) => (
          <Meter
            key={stage.id}
            label={stage.title}
            figure={medianOf(stage)}
            value={stage.medianScore}
            mark={stage.gate?.minScore}
          >
            {stageFiguresWords(stage)}
          </Meter>
        ))}
      </div>
      <AsTable
        caption={text('assessment.stages.title')}
        columns={[
          text('assessment.stages.stage'),
          text('assessment.stages.median'),
          text('assessment.stages.gate'),
          text('assessment.stages.reached'),
          text('assessment.stages.failed'),
          text('assessment.figure.time'),
          text('assessment.stages.alpha'),
        ]}
        rows={stages.map((stage) => [
          stage.title,
          medianOf(stage),
          stage.gate ? score(stage.gate.minScore) : '–',
          number(stage.reached),
          stage.gate ? number(stage.failed) : '–',
          stage.medianSeconds === null ? '–' : duration(stage.medianSeconds),
          stage.reliability.alpha === null ? '–' : number(stage.reliability.alpha, 2),
        ])}
      />
    </section>
  )
}
