// What the judges suggest together, where they differ, and how consistent decisions would be.
import { text, Verbatim } from '../../shared/i18n.tsx'
import type { AssessmentDetail } from '../assessment/head.tsx'
import type { Schemas } from '../core/api.ts'
import { number, score } from '../core/figures.ts'
import { shortOf } from '../editor/plain.ts'
import { questionsOf } from './entered.ts'
import { consistencyWords, cutWords } from './words.ts'

interface Props {
  assessment: AssessmentDetail
  result: Schemas['CutScoreSummary']
}

export function Judges({ assessment, result }: Props) {
  const { judges, atCutScore, atPassingScore, passingScore } = result
  return (
    <section class="card cut-score-card">
      <h2>{text('cutScore.result')}</h2>
      <p class="cut-score-cut">{cutWords(result)}</p>
      {passingScore !== null && <p>{text('cutScore.passing', { score: score(passingScore) })}</p>}
      {atCutScore && <p>{consistencyWords(atCutScore)}</p>}
      {atPassingScore && atPassingScore.score !== atCutScore?.score && <p>{consistencyWords(atPassingScore)}</p>}
      <h3>{text('cutScore.judges')}</h3>
      <div class="table-box" tabIndex={0} role="region" aria-label={text('cutScore.judges')}>
        <table>
          <caption class="unseen">{text('cutScore.judges')}</caption>
          <thead>
            <tr>
              <th scope="col">{text('cutScore.judge')}</th>
              <th scope="col" class="num">
                {text('cutScore.rated')}
              </th>
              <th scope="col" class="num">
                {text('cutScore.sumOfRatings')}
              </th>
            </tr>
          </thead>
          <tbody>
            {judges.map((judge) => (
              <tr key={judge.userId}>
                <th scope="row">
                  <Verbatim>{judge.name ?? text('cutScore.removed')}</Verbatim>
                </th>
                <td class="num">{number(judge.ratedCount)}</td>
                <td class="num">{judge.cutScore === null ? text('cutScore.unfinished') : score(judge.cutScore)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {judges.length > 1 && <Disagreement assessment={assessment} questions={result.questions} />}
      <p class="small muted">{text('cutScore.sources')}</p>
    </section>
  )
}

interface DisagreementProps {
  assessment: AssessmentDetail
  questions: Schemas['CutScoreQuestion'][]
}

/** Disagreement lists the questions about which the judges differ most, because these are worth a talk. */
function Disagreement({ assessment, questions }: DisagreementProps) {
  const all = questionsOf(assessment)
  const sorted = [...questions].sort((a, b) => (b.standardDeviation ?? -1) - (a.standardDeviation ?? -1))
  const shown = (value: number | null) => (value === null ? '–' : score(value))
  return (
    <>
      <h3>{text('cutScore.questions')}</h3>
      <p class="muted small">{text('cutScore.questions.text')}</p>
      <div class="table-box cut-score-questions" tabIndex={0} role="region" aria-label={text('cutScore.questions')}>
        <table>
          <caption class="unseen">{text('cutScore.questions')}</caption>
          <thead>
            <tr>
              <th scope="col">{text('cutScore.question')}</th>
              <th scope="col" class="num">
                {text('cutScore.deviation')}
              </th>
              <th scope="col" class="num">
                {text('cutScore.mean')}
              </th>
              <th scope="col" class="num">
                {text('cutScore.difficulty')}
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ questionId, standardDeviation, mean, difficulty }) => {
              const index = all.findIndex(({ id }) => id === questionId)
              return (
                <tr key={questionId}>
                  <th scope="row">
                    {index + 1} · <bdi>{shortOf(all[index]?.prompt ?? '')}</bdi>
                  </th>
                  <td class="num">{standardDeviation === null ? '–' : number(standardDeviation, 1)}</td>
                  <td class="num">{shown(mean)}</td>
                  <td class="num">{shown(difficulty)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}
