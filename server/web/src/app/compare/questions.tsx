// Which candidate answered which question correctly.
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { OutcomeIcon, outcomeOf, type Outcome } from '../candidate/answers.tsx'
import { Segmented } from '../candidate/segmented.tsx'
import type { Schemas } from '../core/api.ts'
import { useAddress } from '../core/url.ts'
import type { Finished } from './rows.ts'

type Question = Schemas['ResultQuestion']

export function Questions({ group }: { group: Finished[] }) {
  const { query } = useAddress()
  const onlyDifferent = query.questions === 'different'
  const caption = text('compare.questions')
  const { stages } = group[0]!.result
  const shown = stages.map((stage) => ({
    ...stage,
    rows: stage.questions
      .map((question) => ({
        question,
        outcomes: group.map((row) => outcomeFor(row, question.id)),
        points: group.map((row) => pointsFor(row, question.id)),
      }))
      .filter(({ outcomes, points }) => !onlyDifferent || new Set(outcomes).size > 1 || new Set(points).size > 1),
  }))
  return (
    <section class="list compare-questions">
      <div class="compare-head">
        <h2>{caption}</h2>
        <span class="grow" />
        <Segmented
          label={text('compare.questions.filter')}
          name="questions"
          options={[
            { value: undefined, label: text('compare.questions.all') },
            { value: 'different', label: text('compare.questions.different') },
          ]}
        />
      </div>
      <div class="table-box" tabIndex={0} role="region" aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{text('compare.question')}</th>
              {group.map((row) => (
                <th key={row.id} scope="col" class="compare-cell" translate={false}>
                  {row.label}
                </th>
              ))}
            </tr>
          </thead>
          {shown.map(({ id, title, rows }) => (
            <tbody key={id}>
              <tr class="compare-stage">
                <th scope="rowgroup" colSpan={group.length + 1}>
                  {title}
                </th>
              </tr>
              {rows.length === 0 && (
                <tr>
                  <td colSpan={group.length + 1} class="muted">
                    {text('compare.questions.same')}
                  </td>
                </tr>
              )}
              {rows.map(({ question, outcomes }) => (
                <Line key={question.id} question={question} outcomes={outcomes} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  )
}

const questionFor = ({ result }: Finished, id: string) =>
  result.stages.flatMap(({ questions }) => questions).find((found) => found.id === id)

function outcomeFor(row: Finished, id: string): Outcome {
  const question = questionFor(row, id)
  return question ? outcomeOf(question) : 'notReached'
}

/** Two answers that are partly right can have different points. */
const pointsFor = (row: Finished, id: string) => questionFor(row, id)?.points

function Line({ question, outcomes }: { question: Question; outcomes: Outcome[] }) {
  return (
    <tr>
      <th scope="row">
        <Html class="compare-prompt" html={question.promptHtml} />
      </th>
      {outcomes.map((outcome, i) => (
        <td key={i} class="compare-cell">
          <OutcomeIcon outcome={outcome} />
        </td>
      ))}
    </tr>
  )
}
