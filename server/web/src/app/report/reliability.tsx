// How reliable the scores are, in all and for each stage, and whether the time is enough.
import { text } from '../../shared/i18n.tsx'
import type { AssessmentDetail } from '../assessment/head.tsx'
import type { Schemas } from '../core/api.ts'
import { duration, number, score } from '../core/figures.ts'
import { medianOf } from '../core/verdict.ts'
import { rateWords, within } from '../groups/words.ts'
import { bandWords, reliabilityWords, speedWords } from './words.ts'

interface Props {
  assessment: AssessmentDetail
  statistics: Schemas['AssessmentStatistics']
}

export function Reliability({ assessment, statistics }: Props) {
  const { reliability, passingBand, speed, stages } = statistics
  const { standardError, resultsNeeded, alpha, interval } = reliability
  return (
    <section class="card">
      <h2>{text('report.reliability')}</h2>
      <p>
        <b>{text('report.alpha.value', { alpha: within(alpha, interval) })}</b> · {reliabilityWords(reliability)}
      </p>
      <p>
        {standardError !== null && text('report.error.value', { error: number(standardError, 2) })}{' '}
        {bandWords(passingBand)}{' '}
        {resultsNeeded !== null &&
          resultsNeeded > reliability.count &&
          text('report.needed', { count: resultsNeeded, present: number(reliability.count) })}
      </p>
      <p>
        <b>{text('report.speed')}</b> {text('report.speed.value', { rate: rateWords(speed.outOfTimeRate, speed.interval) })} ·{' '}
        {speedWords(speed)}
      </p>
      <div class="table-box" tabIndex={0} role="region" aria-label={text('report.stages')}>
        <table class="report-table">
          <caption class="unseen">{text('report.stages')}</caption>
          <thead>
            <tr>
              <th scope="col">{text('report.stage')}</th>
              <th scope="col" class="num">{text('report.stage.questions')}</th>
              <th scope="col" class="num">{text('report.stage.reached')}</th>
              <th scope="col" class="num">{text('report.stage.gate')}</th>
              <th scope="col" class="num">{text('report.stage.median')}</th>
              <th scope="col" class="num">{text('report.alpha')}</th>
              <th scope="col" class="num">{text('report.error')}</th>
              <th scope="col" class="num">{text('report.timeLimit')}</th>
              <th scope="col" class="num">{text('report.stage.time')}</th>
              <th scope="col" class="num">{text('report.stage.late')}</th>
            </tr>
          </thead>
          <tbody>
            {stages.map((stage) => (
              <StageRow key={stage.id} stage={stage} limit={limitOf(assessment, stage.id)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** limitOf is the time limit of a stage. */
function limitOf({ stages }: AssessmentDetail, id: string): string {
  const minutes = stages.find((stage) => stage.id === id)?.timeLimitMinutes ?? null
  return minutes === null ? '–' : text('report.minutes', { count: minutes })
}

function StageRow({ stage, limit }: { stage: Schemas['StageStatistics']; limit: string }) {
  const { title, reached, gate, failed, reliability, medianSeconds, outOfTimeCount } = stage
  const { alpha, interval, standardError, questionCount } = reliability
  return (
    <tr>
      <th scope="row">{title}</th>
      <td class="num">{number(questionCount)}</td>
      <td class="num">{number(reached)}</td>
      <td class="num">
        {gate ? text('report.stage.gate.value', { gate: score(gate.minScore), failed: number(failed) }) : '–'}
      </td>
      <td class="num">{medianOf(stage)}</td>
      <td class="num">{alpha === null ? reliabilityWords(reliability) : within(alpha, interval)}</td>
      <td class="num">{standardError === null ? '–' : number(standardError, 2)}</td>
      <td class="num">{limit}</td>
      <td class="num">{medianSeconds === null ? '–' : duration(medianSeconds)}</td>
      <td class="num">{number(outOfTimeCount)}</td>
    </tr>
  )
}
