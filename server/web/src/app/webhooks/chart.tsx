// The attempts of the last 24 hours, by hour.
import { text } from '../../shared/i18n.tsx'
import { AsTable } from '../core/as_table.tsx'
import type { Schemas } from '../core/api.ts'
import { number, share } from '../core/figures.ts'
import { dayAndTime } from '../core/formats.tsx'
import { milliseconds } from './words.tsx'
import { Tip } from '../core/tip.tsx'

type Hour = Schemas['WebhookHour']

export interface Summary {
  hours: Hour[]
  succeeded: number
  failed: number
  /** At least 95 percent of the attempts took at most this. It is the worst hour's figure. */
  p95Ms: number | null
}

/** lastDay summarizes the last 24 of the hours of the statistics. */
export function lastDay({ hours }: Schemas['WebhookStatistics']): Summary {
  const last = hours.slice(-24)
  const slow = last.flatMap(({ p95Ms }) => (p95Ms === null ? [] : [p95Ms]))
  return {
    hours: last,
    succeeded: last.reduce((sum, hour) => sum + hour.succeeded, 0),
    failed: last.reduce((sum, hour) => sum + hour.failed, 0),
    p95Ms: slow.length > 0 ? Math.max(...slow) : null,
  }
}

/** successShare formats the part of the attempts that succeeded, rounded down so that 100% means all. */
export function successShare({ succeeded, failed }: Pick<Summary, 'succeeded' | 'failed'>): string {
  if (succeeded + failed === 0) return '–'
  return share(Math.floor((100 * succeeded) / (succeeded + failed)), 100)
}

/** titleOf says what an hour contains. */
function titleOf({ startsAt, succeeded, failed }: Hour): string {
  return text('webhooks.chart.hour', { time: dayAndTime(startsAt), succeeded, failed })
}

/** Bars draws an hour as a bar: successes below, failures above. The height is the number of attempts. */
export function Bars({ hours, label, isSmall }: { hours: Hour[]; label: string; isSmall?: boolean }) {
  const top = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed))
  return (
    <svg
      class={isSmall ? 'webhooks-bars small' : 'webhooks-bars'}
      viewBox="0 0 240 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {hours.map((hour, i) => {
        const high = (count: number) => (count === 0 ? 0 : Math.max(4, (96 * count) / top))
        const [good, bad] = [high(hour.succeeded), high(hour.failed)]
        return (
          <g key={hour.startsAt}>
            {good + bad === 0 && <rect class="none" x={i * 10 + 1} y={98} width={8} height={2} />}
            <rect class="good" x={i * 10 + 1} y={100 - good} width={8} height={good} />
            <rect class="bad" x={i * 10 + 1} y={100 - good - bad} width={8} height={bad} />
            <rect class="hit" x={i * 10} y={0} width={10} height={100}>
              <Tip text={titleOf(hour)} />
            </rect>
          </g>
        )
      })}
    </svg>
  )
}

/** DayChart shows the bars with their figures in a table. */
export function DayChart({ summary }: { summary: Summary }) {
  const { hours, succeeded, failed, p95Ms } = summary
  const used = hours.filter((hour) => hour.succeeded + hour.failed > 0)
  return (
    <section class="card">
      <h2>{text('webhooks.chart.title')}</h2>
      {succeeded + failed === 0 ? (
        <p class="muted">{text('webhooks.chart.none')}</p>
      ) : (
        <p class="muted">
          {text('webhooks.chart.text', { share: successShare(summary), succeeded, count: succeeded + failed })}{' '}
          {p95Ms !== null && text('webhooks.chart.p95', { duration: milliseconds(p95Ms) })}
        </p>
      )}
      <Bars hours={hours} label={text('webhooks.chart.label', { succeeded, failed })} />
      <p class="axis small muted" aria-hidden="true">
        <span>{text('webhooks.chart.start')}</span>
        <span class="webhooks-legend">
          <i class="good" />
          {text('webhooks.chart.succeeded')}
          <i class="bad" />
          {text('webhooks.chart.failed')}
        </span>
        <span>{text('webhooks.chart.end')}</span>
      </p>
      {used.length > 0 && (
        <AsTable
          caption={text('webhooks.chart.title')}
          columns={[
            text('webhooks.chart.column'),
            text('webhooks.chart.succeeded'),
            text('webhooks.chart.failed'),
            text('webhooks.chart.duration'),
          ]}
          rows={used.map((hour) => [
            dayAndTime(hour.startsAt),
            number(hour.succeeded),
            number(hour.failed),
            hour.p95Ms === null ? '–' : milliseconds(hour.p95Ms),
          ])}
        />
      )}
    </section>
  )
}
