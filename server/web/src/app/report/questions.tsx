// All questions in one table, compact enough for 45 questions on two sheets.
import { text } from '../../shared/i18n.tsx'
import type { AssessmentDetail } from '../assessment/head.tsx'
import type { Schemas } from '../core/api.ts'
import { duration, number, percent, share } from '../core/figures.ts'
import { shortOf } from '../editor/plain.ts'
import { within } from '../groups/words.ts'
import type { ReportData } from './data.ts'
import { findingsOf, letterOf } from './words.ts'

type Question = Schemas['QuestionStatistics']

/** Two lines on paper. */
const longest = 56

function beginningOf(prompt: string): string {
  const short = shortOf(prompt)
  return short.length > longest ? `${short.slice(0, longest).trim()}…` : short
}

export function Questions({ assessment, data }: { assessment: AssessmentDetail; data: ReportData }) {
  const { questions } = data
  return (
    <section class="card report-sheet">
      <h2>{text('report.questions')}</h2>
      <p class="small muted">{text('report.questions.text')}</p>
      <div class="table-box" tabIndex={0} role="region" aria-label={text('report.questions')}>
        <table class="report-table report-questions">
          <caption class="unseen">{text('report.questions')}</caption>
          <thead>
            <tr>
              <th scope="col" class="num">{text('report.number')}</th>
              <th scope="col">{text('report.question')}</th>
              <th scope="col" class="num">{text('report.reached')}</th>
              <th scope="col" class="num">{text('report.difficulty')}</th>
              <th scope="col" class="num">{text('report.discrimination')}</th>
              <th scope="col" class="num">{text('report.alphaWithout')}</th>
              <th scope="col" class="num">{text('report.time')}</th>
              <th scope="col">{text('report.options')}</th>
            </tr>
          </thead>
          {assessment.stages.map((stage) => (
            <tbody key={stage.id}>
              {assessment.stages.length > 1 && (
                <tr class="report-stage">
                  <th scope="colgroup" colSpan={8}>
                    {stage.title}
                  </th>
                </tr>
              )}
              {questions
                .map((question, i) => ({ question, i }))
                .filter(({ question }) => question.stageId === stage.id)
                .map(({ question, i }) => (
                  <Row key={question.id} question={question} number={i + 1} lang={assessment.locale} />
                ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  )
}

function Row({ question, number: place, lang }: { question: Question; number: number; lang: string | null }) {
  const { prompt, reached, difficulty, discrimination, discriminationInterval, alphaWithout, medianSeconds } = question
  const plain = (value: number | null) => (value === null ? '–' : number(value, 2))
  const findings = findingsOf(question)
  return (
    <tr>
      <td class="num">{place}</td>
      <th scope="row">
        <bdi lang={lang ?? undefined}>{beginningOf(prompt)}</bdi>
      </th>
      <td class="num">{number(reached)}</td>
      <td class="num">{plain(difficulty)}</td>
      <td class="num report-two">{within(discrimination, discriminationInterval)}</td>
      <td class="num">{plain(alphaWithout)}</td>
      <td class="num">{medianSeconds === null ? '–' : duration(medianSeconds)}</td>
      <td>
        {question.options.length > 0 && <Options question={question} />}
        {findings && <span class="report-finding">{findings}</span>}
      </td>
    </tr>
  )
}

/** Options are shown by letters: how many chose each, and its correlation with the points for the other questions. */
function Options({ question: { options, reached } }: { question: Question }) {
  return (
    <span class="report-options">
      {options.map(({ id, correct, chosen, discrimination }, i) => (
        <span key={id} class={correct ? 'is-key' : undefined}>
          {letterOf(i)}
          {correct ? '*' : ''} {share(chosen, reached) || percent(0)}
          {discrimination === null ? '' : ` (${number(discrimination, 2)})`}
        </span>
      ))}
    </span>
  )
}
