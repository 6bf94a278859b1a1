// Whether groups and segments pass at different rates, and which score the judges suggest.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number, score } from '../core/figures.ts'
import { consistencyWords, cutWords } from '../cut_score/words.ts'
import { GroupTable } from '../groups/table.tsx'
import { impactWords, rateWords, within } from '../groups/words.ts'
import type { ReportData } from './data.ts'

export function Fairness({ data: { groups, comparisons, cutScore } }: { data: ReportData }) {
  return (
    <>
      <section class="card report-sheet">
        <h2>{text('report.fairness')}</h2>
        <p>{groupsWords(groups)}</p>
        {groups?.computedAt && groups.questions.map((question) => <GroupTable key={question.id} question={question} />)}
        {comparisons.length > 0 && <Comparisons comparisons={comparisons} />}
      </section>
      <section class="card">
        <h2>{text('report.cutScore')}</h2>
        <p>{cutScore.judges.length === 0 ? text('report.cutScore.none') : cutWords(cutScore)}</p>
        {cutScore.atCutScore && <p>{consistencyWords(cutScore.atCutScore)}</p>}
        {cutScore.atPassingScore && <p>{consistencyWords(cutScore.atPassingScore)}</p>}
      </section>
    </>
  )
}

function groupsWords(groups: Schemas['GroupStatistics'] | undefined): string {
  if (!groups) return text('report.groups.role')
  if (groups.questions.length === 0) return text('report.groups.none')
  return text(groups.computedAt === null ? 'report.groups.early' : 'report.groups.text')
}

function Comparisons({ comparisons }: { comparisons: Schemas['SegmentComparison'][] }) {
  return (
    <>
      <h3>{text('report.segments')}</h3>
      <div class="table-box" tabIndex={0} role="region" aria-label={text('report.segments')}>
        <table class="report-table">
          <caption class="unseen">{text('report.segments')}</caption>
          <thead>
            <tr>
              <th scope="col">{text('report.segment')}</th>
              <th scope="col" class="num">{text('report.segments.count')}</th>
              <th scope="col" class="num">{text('report.segments.rate')}</th>
              <th scope="col" class="num">{text('report.segments.others')}</th>
              <th scope="col" class="num">{text('report.segments.ratio')}</th>
              <th scope="col" class="num">{text('report.segments.difference')}</th>
              <th scope="col">{text('report.segments.finding')}</th>
            </tr>
          </thead>
          <tbody>
            {comparisons.map((one) => (
              <Comparison key={one.first.segmentId} comparison={one} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Comparison({ comparison }: { comparison: Schemas['SegmentComparison'] }) {
  const { first, second, passRateRatio: ratio, scoreDifference: difference } = comparison
  return (
    <tr>
      <th scope="row">{first.name}</th>
      <td class="num">{text('report.segments.counts', { first: number(first.count), second: number(second.count) })}</td>
      <td class="num">{rateWords(first.passRate, first.passRateInterval)}</td>
      <td class="num">{second.passRate === null ? '–' : score(second.passRate)}</td>
      <td class="num">{within(ratio?.value ?? null, ratio?.interval ?? null)}</td>
      <td class="num">{within(difference?.value ?? null, difference?.interval ?? null)}</td>
      <td>{impactWords(ratio)}</td>
    </tr>
  )
}
