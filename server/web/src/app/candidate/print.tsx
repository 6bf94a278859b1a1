// The answers of a candidate as a compact table, for paper.
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number, score } from '../core/figures.ts'
import { dayAndTime } from '../core/formats.tsx'
import { me } from '../core/session.ts'
import { answerWords, OutcomeIcon, outcomeOf, type Keys } from './answers.tsx'
import { keyWords } from './keys.ts'

/** PrintHead says which organization printed the page, and when. */
export function PrintHead({ assessment }: { assessment: string }) {
  return (
    <p class="print-only print-head">
      <span>{[me.value?.organization.name, assessment].filter(Boolean).join(' · ')}</span>
      <span>{text('candidate.print.date', { date: dayAndTime(new Date()) })}</span>
    </p>
  )
}

interface Props {
  result: Schemas['Result']
  keys: Keys
  lang: string | null | undefined
}

export function PrintAnswers({ result, keys, lang }: Props) {
  return (
    <section class="print-only print-answers" aria-hidden="true">
      <h2>{text('candidate.answers.title')}</h2>
      <table>
        <thead>
          <tr>
            <th />
            <th>{text('candidate.print.question')}</th>
            <th>{text('candidate.answers.answer')}</th>
            <th>{text('candidate.answers.key')}</th>
            <th class="num">{text('candidate.print.points')}</th>
          </tr>
        </thead>
        {result.stages
          .filter(({ status }) => status !== 'NOT_REACHED')
          .map((stage) => (
            <tbody key={stage.id}>
              <tr class="print-stage">
                <td colSpan={5}>
                  {stage.title}
                  {stage.score !== null && ` · ${score(stage.score)}`}
                </td>
              </tr>
              {stage.questions.map((question) => {
                const key = keys.get(question.id)
                return (
                  <tr key={question.id}>
                    <td>
                      <OutcomeIcon outcome={outcomeOf(question)} />
                    </td>
                    <td>
                      <Html class="print-prompt" html={question.promptHtml} lang={lang} />
                    </td>
                    <td translate={!!question.options}>{answerWords(question) ?? text('candidate.outcome.empty')}</td>
                    <td>{question.correct ? '' : key && keyWords(key)}</td>
                    <td class="num">
                      {number(question.points, 2)} / {number(question.maxPoints, 2)}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          ))}
      </table>
    </section>
  )
}
