// The chosen segment beside all other candidates, or beside another segment.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { AsTable } from '../core/as_table.tsx'
import { number, score } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { useQuery } from '../core/query.ts'
import { Loaded } from '../core/states.tsx'
import { useAddress } from '../core/url.ts'
import { differenceWords, rateWords, ratioWords } from './comparison_words.ts'
import { useSegments } from './query.ts'
import { nameOf } from './words.ts'

type Side = Schemas['ComparedSessions']

interface Props {
  id: string
  segment: string
  /** How often the comparison is read again, in milliseconds. */
  every: number
}

export function Comparison({ id, segment, every }: Props) {
  const { query: address, change } = useAddress()
  const segments = useSegments(id)
  const others = (segments.data ?? []).filter((other) => other.id !== segment)
  const other = others.find((known) => known.id === address.with)?.id
  const params = { path: { id, segmentId: segment }, query: other ? { with: other } : {} }
  const query = useQuery(
    `/v1/assessments/${id}/segments/${segment}/comparison?with=${other ?? ''}`,
    () => ask(v1.GET('/v1/assessments/{id}/segments/{segmentId}/comparison', { params })),
    { every },
  )
  return (
    <section class="card">
      <h2>{text('segments.compare.title')}</h2>
      <p class="sort-links">
        <label class="filter">
          <span class="unseen">{text('segments.compare.with')}</span>
          <select
            class="field small"
            value={other ?? ''}
            onChange={(event) => change({ with: event.currentTarget.value || undefined })}
          >
            <option value="">{text('segments.others')}</option>
            {others.map(({ id: value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Loaded query={query}>{(comparison) => <Sides comparison={comparison} />}</Loaded>
    </section>
  )
}

function Sides({ comparison }: { comparison: Schemas['SegmentComparison'] }) {
  const { first, second, passRateRatio } = comparison
  const sides = [first, second]
  const sentences = [ratioWords(comparison), differenceWords(comparison)].filter((sentence) => sentence !== undefined)
  const row = (label: string, cell: (side: Side) => string) => [label, ...sides.map(cell)]
  return (
    <>
      {passRateRatio && (
        <div class="meters">
          {sides.map((side) => (
            <Rate key={side.segmentId} side={side} />
          ))}
        </div>
      )}
      <ul class="verdicts question-key">
        {sentences.map(({ words, figure, isTrouble }) => (
          <li key={words} class={isTrouble ? 'warn' : undefined}>
            <Icon name={isTrouble ? 'warning' : 'info'} />
            <span>
              {words}
              <span class="small muted block">{figure}</span>
            </span>
          </li>
        ))}
      </ul>
      <AsTable
        caption={text('segments.compare.title')}
        columns={[text('segments.compare.figure'), ...sides.map(nameOf)]}
        rows={[
          row(text('segments.compare.finished'), ({ count }) => number(count)),
          row(text('segments.compare.passed'), ({ passed }) => (passed === null ? '–' : number(passed))),
          row(text('segments.compare.rate'), ({ passRate }) => percentOf(passRate)),
          row(text('segments.compare.interval'), ({ passRateInterval }) => rangeOf(passRateInterval)),
          row(text('segments.compare.scores'), ({ scoreCount: count }) => number(count)),
          row(text('segments.compare.mean'), ({ mean }) => percentOf(mean)),
          row(text('segments.compare.deviation'), ({ standardDeviation }) => pointsOf(standardDeviation)),
        ]}
      />
    </>
  )
}

/** Rate is a bar with the interval of the rate as whiskers. The words below it say the same. */
function Rate({ side }: { side: Side }) {
  const { passRate, passRateInterval: interval } = side
  return (
    <div class="meter">
      <span>{nameOf(side)}</span>
      <b>{percentOf(passRate)}</b>
      <span class="bar tall" aria-hidden="true">
        {passRate !== null && <i style={{ width: `${passRate}%` }} />}
        {interval && (
          <>
            <u style={{ insetInlineStart: `${interval.from}%` }} />
            <u style={{ ...line, insetInlineStart: `${interval.from}%`, width: `${interval.to - interval.from}%` }} />
            <u style={{ insetInlineStart: `calc(${interval.to}% - 2px)` }} />
          </>
        )}
      </span>
      <span class="small muted">{rateWords(side)}</span>
    </div>
  )
}

/** A line in the middle of the bar, which is 10 px high. */
const line = { top: '4px', bottom: '4px' }

const percentOf = (value: number | null) => (value === null ? '–' : score(value))

const pointsOf = (value: number | null) =>
  value === null ? '–' : text('segments.compare.points', { points: number(value, 2) })

const rangeOf = (interval: Side['passRateInterval']) =>
  interval ? text('segments.compare.range', { from: score(interval.from), to: score(interval.to) }) : '–'
