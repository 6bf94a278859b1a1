// The figures of an assessment, and its funnel.
import { list, text } from '../../shared/i18n.tsx'
import { Bar } from '../candidate/bars.tsx'
import type { Schemas } from '../core/api.ts'
import { duration, number, score as shown, share } from '../core/figures.ts'
import { AsTable } from '../core/as_table.tsx'
import { outOfTime, timesWords } from '../core/verdict.ts'
import { totalOf } from './head.tsx'

type Statistics = Schemas['AssessmentStatistics']

/** The candidates at each step. Cancelled sessions are in the first one only: their start is not counted. */
export function steps({ sessionCounts, passedCount }: Statistics) {
  const { inProgress, inReview, completed, disqualified } = sessionCounts
  return {
    invited: totalOf(sessionCounts),
    started: inProgress + inReview + completed + disqualified,
    finished: completed,
    passed: passedCount,
  }
}

export function Figures({ statistics }: { statistics: Statistics }) {
  const { sessionCounts, duration: times, passingScore, segmentId } = statistics
  const { invited, started, finished, passed } = steps(statistics)
  const ofStarted =
    started > 0
      ? text('assessment.figure.ofStarted', { share: share(finished, started) })
      : text('assessment.figure.noneStarted')
  const stopped = sessionCounts.disqualified
  const isSegment = segmentId !== null
  return (
    <dl class="figures">
      {/* A segment has only sessions that have ended. */}
      {!isSegment && (
        <div>
          <dt>{text('assessment.figure.invited')}</dt>
          <dd class="value">{number(invited)}</dd>
          <dd class="small muted">{text('assessment.figure.notStarted', { count: sessionCounts.invited })}</dd>
        </div>
      )}
      <div>
        <dt>{text('assessment.figure.finished')}</dt>
        <dd class="value">{number(finished)}</dd>
        <dd class="small muted">{isSegment ? text('assessment.funnel.stopped', { count: stopped }) : ofStarted}</dd>
      </div>
      <div>
        <dt>{text('assessment.figure.passed')}</dt>
        <dd class="value">{passed === null ? '–' : number(passed)}</dd>
        <dd class="small muted">
          {passingScore === null
            ? text('assessment.figure.noPassingScore')
            : finished > 0
              ? text('assessment.figure.ofFinished', { share: share(passed ?? 0, finished) })
              : text('assessment.figure.passingScore', { score: shown(passingScore) })}
        </dd>
      </div>
      <div>
        <dt>{text('assessment.figure.time')}</dt>
        <dd class="value">{times.medianSeconds === null ? '–' : duration(times.medianSeconds)}</dd>
        <dd class="small muted">{timesWords(times)}</dd>
      </div>
    </dl>
  )
}

/** Funnel shows how many candidates reach each step, and what happened to the others. */
export function Funnel({ statistics }: { statistics: Statistics }) {
  const { sessionCounts: counts, passingScore } = statistics
  const { invited, started, finished, passed } = steps(statistics)
  const lost = (parts: [number, 'notStarted' | 'expired' | 'cancelled' | 'inProgress' | 'inReview' | 'stopped' | 'outOfTime'][]) =>
    list(parts.filter(([count]) => count > 0).map(([count, name]) => text(`assessment.funnel.${name}`, { count })))
  const late = statistics.stages.reduce((sum, _, index) => sum + outOfTime(statistics.stages, index), 0)
  const rows = [
    { label: text('assessment.funnel.invited'), count: invited, lost: '' },
    {
      label: text('assessment.funnel.started'),
      count: started,
      lost: lost([
        [counts.invited, 'notStarted'],
        [counts.expired, 'expired'],
        [counts.cancelled, 'cancelled'],
      ]),
    },
    {
      label: text('assessment.funnel.finished'),
      count: finished,
      lost: lost([
        [counts.inProgress, 'inProgress'],
        [counts.inReview, 'inReview'],
        [counts.disqualified, 'stopped'],
        [late, 'outOfTime'],
      ]),
    },
  ]
  if (passed !== null && passingScore !== null) {
    const failed = finished - passed
    const score = shown(passingScore)
    rows.push({
      label: text('assessment.funnel.passed'),
      count: passed,
      lost: failed > 0 ? text('assessment.funnel.failed', { count: failed, score }) : '',
    })
  }
  return (
    <section class="card">
      <h2>{text('assessment.funnel.title')}</h2>
      <ol class="funnel">
        {rows.map((row) => (
          <li key={row.label}>
            <span class="step">{row.label}</span>
            <Bar value={invited === 0 ? 0 : (100 * row.count) / invited} />
            <b>{number(row.count)}</b>
            <span class="small muted share">{share(row.count, invited)}</span>
            {row.lost && <span class="small muted lost">{row.lost}</span>}
          </li>
        ))}
      </ol>
      <AsTable
        caption={text('assessment.funnel.title')}
        columns={[text('assessment.funnel.step'), text('assessment.funnel.count'), text('assessment.funnel.share')]}
        rows={rows.map(({ label, count }) => [label, number(count), share(count, invited)])}
      />
    </section>
  )
}
