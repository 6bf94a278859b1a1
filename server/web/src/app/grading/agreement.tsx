// How well the people agree who have graded the same answers, per question and per pair of people.
import type { ComponentChildren } from 'preact'
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { AssessmentPage, type AssessmentDetail } from '../assessment/head.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { number, percent } from '../core/figures.ts'
import { useQuery } from '../core/query.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { enough, wordOf } from './kappa.ts'

type Figures = Pick<Schemas['QuestionAgreement'], 'answers' | 'equalShare' | 'meanDifferencePercent' | 'kappa'>

export default function Screen({ params }: { params: Record<string, string> }) {
  return (
    <AssessmentPage id={params.id!} tab="grading">
      {(assessment) => <Agreement assessment={assessment} />}
    </AssessmentPage>
  )
}

function Agreement({ assessment }: { assessment: AssessmentDetail }) {
  const assessmentId = assessment.id
  const query = useQuery(`/v1/assessments/${assessmentId}/grading-agreement`, () =>
    ask(v1.GET('/v1/assessments/{id}/grading-agreement', { params: { path: { id: assessmentId } } })),
  )
  return (
    <Loaded query={query}>
      {({ questions, pairs }) =>
        questions.length === 0 ? (
          <None assessment={assessment} />
        ) : (
          <>
            <p class="lead-in">{text('grading.agreement.lead')}</p>
            <Part title={text('grading.agreement.questions')} head={text('grading.question')}>
              {questions.map(({ questionId, ...figures }) => (
                <Row key={questionId} figures={figures}>
                  <Prompt assessment={assessment} id={questionId} />
                </Row>
              ))}
            </Part>
            <Part title={text('grading.agreement.pairs')} head={text('grading.agreement.pair')}>
              {pairs.map(({ graders, ...figures }) => (
                <Row key={graders.map(({ id }) => id).join()} figures={figures}>
                  {graders.map(({ id, name }) => (
                    <span key={id} class="block" translate={name === null}>
                      {name ?? text('grading.agreement.gone')}
                    </span>
                  ))}
                </Row>
              ))}
            </Part>
            <Explained />
          </>
        )
      }
    </Loaded>
  )
}

function None({ assessment: { id, grading } }: { assessment: AssessmentDetail }) {
  const isAlone = grading.graders === 1
  return (
    <Empty
      icon="members"
      title={text('grading.agreement.none')}
      action={
        isAlone ? (
          <a class="button" href={to(`/assessments/${id}/settings`)}>
            {text('grading.agreement.settings')}
          </a>
        ) : (
          <a class="button" href={to('/grading')}>
            {text('grading.agreement.queue')}
          </a>
        )
      }
    >
      <p>{text(isAlone ? 'grading.agreement.alone' : 'grading.agreement.soon')}</p>
    </Empty>
  )
}

function Prompt({ assessment, id }: { assessment: AssessmentDetail; id: string }) {
  const question = assessment.stages.flatMap(({ questions }) => questions).find((question) => question.id === id)
  if (!question) return <>{text('grading.agreement.gone.question')}</>
  return <Html html={question.promptHtml} lang={assessment.locale} class="grading-agreement-prompt" />
}

function Part({ title, head, children }: { title: string; head: string; children: ComponentChildren }) {
  return (
    <section class="list grading-agreement">
      <h2>{title}</h2>
      <div class="table-box" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{head}</th>
              <th scope="col" class="num">{text('grading.agreement.answers')}</th>
              <th scope="col" class="num">{text('grading.agreement.equal')}</th>
              <th scope="col" class="num">{text('grading.agreement.difference')}</th>
              <th scope="col" class="num">{text('grading.agreement.kappa')}</th>
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  )
}

function Row({ figures, children }: { figures: Figures; children: ComponentChildren }) {
  const { answers, equalShare, meanDifferencePercent, kappa } = figures
  return (
    <tr>
      <th scope="row">{children}</th>
      <td class="num">{number(answers)}</td>
      <td class="num">{percent(equalShare)}</td>
      <td class="num">{percent(meanDifferencePercent)}</td>
      <td class="num">
        {kappa === null ? (
          <span class="muted">
            {answers < enough ? text('grading.agreement.few', { enough }) : text('grading.agreement.same')}
          </span>
        ) : (
          <>
            {number(kappa, 2)} <span class="small muted">{text(`grading.kappa.${wordOf(kappa)}`)}</span>
          </>
        )}
      </td>
    </tr>
  )
}

/** Explained says in a sentence what each figure means. */
function Explained() {
  const names = ['answers', 'equal', 'difference', 'kappa'] as const
  return (
    <section class="card grading-explained">
      <h2>{text('grading.agreement.explained')}</h2>
      <dl class="facts-list">
        {names.map((name) => (
          <>
            <dt>{text(`grading.agreement.${name}`)}</dt>
            <dd>{text(`grading.agreement.${name}.text`)}</dd>
          </>
        ))}
      </dl>
    </section>
  )
}
