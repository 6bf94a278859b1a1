// The scores before and after a correction, as pairs of bars.
import { text } from '../../shared/i18n.tsx'
import { ticksOf } from '../assessment/scores.tsx'
import { number, percent, score } from '../core/figures.ts'
import { Tip } from '../core/tip.tsx'
import { binRange } from '../core/verdict.ts'

interface Bin {
  from: number
  to: number
  before: number
  after: number
}

const height = 160

/** BeforeAfter draws the bars without text, because text in a scaled picture is too small on a phone. */
export function BeforeAfter({ bins, mark }: { bins: Bin[]; mark: number | null }) {
  const ticks = ticksOf(Math.max(...bins.flatMap(({ before, after }) => [before, after])))
  const top = ticks[0]!
  const side = mark === null ? '' : mark > 66 ? 'end' : mark < 34 ? 'start' : 'middle'
  const bar = (bin: Bin, kind: 'before' | 'after') => {
    const width = (bin.to - bin.from - 1) / 2
    const size = (height * bin[kind]) / top
    const x = bin.from + 0.5 + (kind === 'after' ? width : 0)
    return (
      <rect key={kind} class={kind} x={x} y={height - size} width={width} height={size}>
        <Tip text={`${text(`correction.${kind}`)}: ${text('assessment.scores.bar', { range: binRange(bin), count: bin[kind] })}`} />
      </rect>
    )
  }
  return (
    <>
      <p class="correction-legend small muted">
        <i class="before" aria-hidden="true" /> {text('correction.before')}
        <i class="after" aria-hidden="true" /> {text('correction.after')}
      </p>
      <div class="histogram correction-histogram">
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
            aria-label={text('correction.scores.label')}
          >
            {bins.map((bin) => (
              <g key={bin.from}>
                {bar(bin, 'before')}
                {bar(bin, 'after')}
              </g>
            ))}
            {mark !== null && <line x1={mark} x2={mark} y1={0} y2={height} vector-effect="non-scaling-stroke" />}
          </svg>
        </div>
        <p class="axis small muted" aria-hidden="true">
          <span>{percent(0)}</span>
          <span>{percent(50)}</span>
          <span>{percent(100)}</span>
        </p>
      </div>
    </>
  )
}
