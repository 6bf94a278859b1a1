// The candidates with their total scores, as the rows of a table.
import { text } from '../../shared/i18n.tsx'
import { Bar } from '../candidate/bars.tsx'
import { SessionTag } from '../candidate/status.tsx'
import { useStates } from '../candidates/state.tsx'
import { hasText } from '../core/faults.ts'
import { duration, number, percentile as percentileOf, score as shown } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { stateName } from '../core/review_state.ts'
import { to, useAddress } from '../core/url.ts'
import { isBelowPassingScore } from '../core/verdict.ts'
import type { Labelled } from './rows.ts'

interface Props {
  rows: Labelled[]
  isHidden: boolean
  areDifferent: boolean
}

export function Candidates({ rows, isHidden, areDifferent }: Props) {
  const caption = text('compare.total')
  // A column without a value only makes the table wider.
  const areDecided = rows.some(({ session }) => session && session.stateId && session.stateId !== 'new')
  const areRated = rows.some(({ session }) => session && session.rating !== null)
  return (
    <div class="list">
      <div class="table-box" tabIndex={0} role="region" aria-label={caption}>
        <table class="compare-total">
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{text('compare.candidate')}</th>
              {areDifferent && <th scope="col">{text('compare.assessment')}</th>}
              <th scope="col" class="compare-bar">
                {text('compare.score')}
              </th>
              <th scope="col">{text('compare.result')}</th>
              <th scope="col" class="num">
                {text('compare.percentile')}
              </th>
              <th scope="col" class="num">
                {text('compare.time')}
              </th>
              {areDecided && <th scope="col">{text('compare.state')}</th>}
              {areRated && (
                <th scope="col" class="num">
                  {text('compare.rating')}
                </th>
              )}
              <th class="no-print">
                <span class="unseen">{text('compare.remove.column')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row" translate={false}>
                  {isHidden || row.name === undefined ? (
                    row.label
                  ) : (
                    <a href={to(`/candidates/${row.id}`)}>{row.label}</a>
                  )}
                </th>
                {row.result ? (
                  <ResultCells row={row} areDifferent={areDifferent} />
                ) : (
                  <Reason row={row} span={areDifferent ? 5 : 4} />
                )}
                {areDecided && (
                  <td>
                    <State id={row.session?.stateId} />
                  </td>
                )}
                {areRated && <td class="num">{ratingOf(row)}</td>}
                <td class="no-print">
                  <Remove row={row} rows={rows} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function ResultCells({ row: { result }, areDifferent }: { row: Labelled; areDifferent: boolean }) {
  const { score, passingScore, percentile, durationSeconds, assessment } = result!
  return (
    <>
      {areDifferent && <td>{assessment.title}</td>}
      <td class="compare-bar">
        <span class="compare-meter">
          <Bar value={score} mark={passingScore} isBelow={isBelowPassingScore(result!)} />
          <b>{shown(score)}</b>
        </span>
      </td>
      <td>
        <SessionTag {...result!} />
      </td>
      <td class="num">{percentile === null ? <span class="muted">–</span> : percentileOf(percentile)}</td>
      <td class="num">{duration(durationSeconds)}</td>
    </>
  )
}

function State({ id }: { id: string | null | undefined }) {
  const state = useStates().find((one) => one.id === id)
  if (!state) return <span class="muted">–</span>
  return (
    <span class={id === 'new' ? 'muted' : 'tag'} translate={false}>
      {stateName(state)}
    </span>
  )
}

/** ratingOf is the average of the team. */
function ratingOf({ session }: Labelled) {
  const rating = session?.rating ?? null
  if (rating === null) return <span class="muted">–</span>
  return (
    <>
      <span aria-hidden="true">★</span> {number(rating, 1)}
    </>
  )
}

/** Reason says why a candidate has no result. */
function Reason({ row: { session }, span }: { row: Labelled; span: number }) {
  const key = `compare.reason.${session?.status ?? 'MISSING'}`
  return (
    <td colSpan={span} class="muted">
      {hasText(key) ? text(key) : text('compare.reason.NONE')}
    </td>
  )
}

function Remove({ row, rows }: { row: Labelled; rows: Labelled[] }) {
  const address = useAddress()
  const rest = rows.filter(({ id }) => id !== row.id).map(({ id }) => id)
  return (
    <a
      class="icon-button"
      href={address.with({ ids: rest.join() || undefined })}
      aria-label={text('compare.remove', { name: row.label })}
      title={text('compare.remove', { name: row.label })}
    >
      <Icon name="close" />
    </a>
  )
}
