// Which candidate answered which question correctly.
import { Fragment } from 'preact'
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { OutcomeIcon, outcomeOf, type Outcome } from '../candidate/answers.tsx'
import { FreeText } from '../candidate/free_text.tsx'
import { Segmented } from '../candidate/segmented.tsx'
import type { Schemas } from '../core/api.ts'
import { number } from '../core/figures.ts'
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
              {rows.map(({ question, outcomes, points }) => (
                <Fragment key={question.id}>
                  <Line question={question} outcomes={outcomes} points={points} />
                  {question.type === 'FREE_TEXT' && <Texts group={group} id={question.id} />}
                </Fragment>
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

interface LineProps {
  question: Question
  outcomes: Outcome[]
  points: (number | undefined)[]
}

function Line({ question, outcomes, points }: LineProps) {
  return (
    <tr>
      <th scope="row">
        <Html class="compare-prompt" html={question.promptHtml} />
      </th>
      {outcomes.map((outcome, i) => (
        <td key={i} class="compare-cell">
          <OutcomeIcon outcome={outcome} />
          {question.type === 'FREE_TEXT' && points[i] !== undefined && (
            <span class="small block">{number(points[i], 2)}</span>
          )}
        </td>
      ))}
    </tr>
  )
}

/** Texts has the texts of all candidates beside each other. */
function Texts({ group, id }: { group: Finished[]; id: string }) {
  return (
    <tr>
      <td colSpan={group.length + 1}>
        <details class="compare-texts">
          <summary>{text('compare.texts')}</summary>
          <dl>
            {group.map((row) => (
              <div key={row.id}>
                <dt translate={false}>{row.label}</dt>
                <dd>
                  <Given answer={questionFor(row, id)?.answer?.text} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      </td>
    </tr>
  )
}

function Given({ answer }: { answer: string | undefined }) {
  if (!answer) return <span class="muted">{text('candidate.outcome.empty')}</span>
  return <FreeText value={answer} />
}
