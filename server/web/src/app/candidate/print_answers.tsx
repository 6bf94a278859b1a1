// The answers of a candidate on paper, with and without correct answers.
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number, score } from '../core/figures.ts'
import { answerWords, OutcomeIcon, outcomeOf, type Keys } from './answers.tsx'
import { keyWords } from './keys.ts'
import { hasAnswers } from './print.tsx'

interface Props {
  result: Schemas['Result']
  keys: Keys
  lang: string | null | undefined
}

/**
 * PrintAnswers leaves out the given answers together with the correct ones, because a given answer
 * that is marked as right is a correct answer.
 */
export function PrintAnswers({ result, keys, lang }: Props) {
  const isFull = hasAnswers.value
  return (
    <section class="print-only print-answers" aria-hidden="true">
      <h2>{text('candidate.answers.title')}</h2>
      <p class="small">{text(isFull ? 'candidate.print.full' : 'candidate.print.short')}</p>
      <table>
        <thead>
          <tr>
            <th />
            <th>{text('candidate.print.question')}</th>
            {isFull && <th>{text('candidate.answers.answer')}</th>}
            {isFull && <th>{text('candidate.answers.key')}</th>}
            <th class="num">{text('candidate.print.points')}</th>
          </tr>
        </thead>
        {result.stages
          .filter(({ status }) => status !== 'NOT_REACHED')
          .map((stage) => (
            <tbody key={stage.id}>
              <tr class="print-stage">
                <td colSpan={isFull ? 5 : 3}>
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
                    {isFull && (
                      <td class="print-answer" dir="auto" translate={!!question.options}>
                        {answerWords(question) ?? text('candidate.outcome.empty')}
                      </td>
                    )}
                    {isFull && <td translate={!!question.options}>{key && keyWords(key)}</td>}
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
