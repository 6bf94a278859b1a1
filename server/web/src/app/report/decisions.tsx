// What people have decided about the questions after publishing: the corrections, with their reasons.
import { text, Verbatim } from '../../shared/i18n.tsx'
import type { AssessmentDetail } from '../assessment/head.tsx'
import { number } from '../core/figures.ts'
import { day } from '../core/formats.tsx'
import { correctionWords, type Correction } from '../correction/words.ts'
import type { ReportData } from './data.ts'

export function Decisions({ assessment, data }: { assessment: AssessmentDetail; data: ReportData }) {
  const { corrections, questions } = data
  const placeOf = (id: string) => questions.findIndex((question) => question.id === id) + 1
  const all = assessment.stages.flatMap((stage) => stage.questions)
  const wordsOf = (correction: Correction) => {
    const question = all.find(({ id }) => id === correction.questionId)
    const withdrawn = corrections.find(({ id }) => id === correction.withdraws)
    return withdrawn
      ? text('correction.withdrew', { what: correctionWords(question, withdrawn) })
      : correctionWords(question, correction)
  }
  return (
    <section class="card">
      <h2>{text('report.decisions')}</h2>
      {corrections.length === 0 ? (
        <p>{text('report.decisions.none')}</p>
      ) : (
        <div class="table-box" tabIndex={0} role="region" aria-label={text('report.decisions')}>
          <table class="report-table">
            <caption class="unseen">{text('report.decisions')}</caption>
            <thead>
              <tr>
                <th scope="col">{text('report.decisions.date')}</th>
                <th scope="col" class="num">{text('report.question')}</th>
                <th scope="col">{text('report.decisions.what')}</th>
                <th scope="col">{text('report.decisions.reason')}</th>
                <th scope="col">{text('report.decisions.who')}</th>
                <th scope="col" class="num">{text('report.decisions.changed')}</th>
              </tr>
            </thead>
            <tbody>
              {corrections.map((correction) => (
                <tr key={correction.id}>
                  <td>{day(correction.createdAt)}</td>
                  <td class="num">{placeOf(correction.questionId) || '–'}</td>
                  <td>{wordsOf(correction)}</td>
                  <td>
                    <Verbatim>{correction.reason}</Verbatim>
                  </td>
                  <td>
                    <Verbatim>{correction.createdBy.name ?? text('correction.unknown')}</Verbatim>
                  </td>
                  <td class="num">{number(correction.changed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
