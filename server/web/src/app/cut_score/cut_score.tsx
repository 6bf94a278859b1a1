// Which score should be enough, by the modified Angoff method: members rate the questions, each for themselves.
import { useState } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { AssessmentPage, type AssessmentDetail } from '../assessment/head.tsx'
import { keyWords } from '../candidate/keys.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { score } from '../core/figures.ts'
import { Field, Form } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { forget, useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Loaded } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import styles from './cut_score.css?text'
import { DeleteRatings } from './delete.tsx'
import { enteredOf, faultsOf, pointerOf, questionsOf, ratingsOf, sumOf, type Entered, type Question } from './entered.ts'
import { Judges } from './judges.tsx'

addStyles(styles)

export default function Screen({ params }: { params: Record<string, string> }) {
  return <AssessmentPage id={params.id!}>{(assessment) => <CutScore assessment={assessment} />}</AssessmentPage>
}

function CutScore({ assessment }: { assessment: AssessmentDetail }) {
  const { id } = assessment
  const params = { path: { id } }
  const own = useQuery(`/v1/assessments/${id}/cut-score/ratings`, () =>
    ask(v1.GET('/v1/assessments/{id}/cut-score/ratings', { params })),
  )
  const isDone = own.data?.cutScore != null
  const all = useQuery(isDone ? `/v1/assessments/${id}/cut-score` : undefined, () =>
    ask(v1.GET('/v1/assessments/{id}/cut-score', { params })),
  )
  const changed = (ratings: Schemas['CutScoreRatings']) => {
    forget(`/v1/assessments/${id}/cut-score`)
    own.set(ratings)
    all.reload()
  }
  return (
    <>
      <section class="card">
        <h2>{text('cutScore.title')}</h2>
        <p>{text('cutScore.imagine')}</p>
        <p class="muted">{text('cutScore.independent')}</p>
      </section>
      <Loaded query={own}>
        {(ratings) => (
          <>
            {isDone && (
              <Loaded query={all}>{(result) => <Judges assessment={assessment} result={result} />}</Loaded>
            )}
            <Ratings key={ratings.updatedAt} assessment={assessment} ratings={ratings} changed={changed} />
          </>
        )}
      </Loaded>
    </>
  )
}

interface RatingsProps {
  assessment: AssessmentDetail
  ratings: Schemas['CutScoreRatings']
  changed(ratings: Schemas['CutScoreRatings']): void
}

function Ratings({ assessment, ratings, changed }: RatingsProps) {
  const [entered, setEntered] = useState<Entered>(() => enteredOf(ratings))
  const [isDeleting, setDeleting] = useState(false)
  const { id, locale } = assessment
  const questions = questionsOf(assessment)
  const sum = sumOf(questions, entered)
  const reason = needs('MEMBER')
  return (
    <section class="card cut-score-card">
      <h2>{text('cutScore.own')}</h2>
      <Form
        draft="cut-score"
        label={text('cutScore.save')}
        reason={reason}
        check={() => faultsOf(questions, entered)}
        send={() =>
          ask(
            v1.PUT('/v1/assessments/{id}/cut-score/ratings', {
              params: { path: { id } },
              body: { ratings: ratingsOf(questions, entered) },
            }),
          )
        }
        done={(next) => {
          changed(next)
          notify(text('cutScore.saved'))
        }}
        actions={
          ratings.ratings.length > 0 && (
            <Action kind="quiet" act={() => setDeleting(true)}>
              {text('cutScore.delete')}
            </Action>
          )
        }
      >
        <ol class="cut-score-list">
          {questions.map((question, i) => (
            <Row
              key={question.id}
              number={i + 1}
              question={question}
              lang={locale}
              pointer={pointerOf(questions, entered, question.id)}
              value={entered[question.id] ?? ''}
              change={(value) => setEntered((before) => ({ ...before, [question.id]: value }))}
            />
          ))}
        </ol>
        <p class="cut-score-sum" role="status">
          {sum === null
            ? text('cutScore.sum.none')
            : text('cutScore.sum', {
                score: score(sum),
                count: ratingsOf(questions, entered).length,
                total: questions.length,
              })}
        </p>
      </Form>
      {isDeleting && <DeleteRatings id={id} done={changed} close={() => setDeleting(false)} />}
    </section>
  )
}

interface RowProps {
  number: number
  question: Question
  lang: string | null
  pointer: string
  value: string
  change(value: string): void
}

function Row({ number, question, lang, pointer, value, change }: RowProps) {
  const { id, options, correctOptionId, correctOptionIds, promptHtml } = question
  const correct = correctOptionIds ?? [correctOptionId]
  const key = options ? '' : keyWords(question)
  return (
    <li>
      <div>
        <div class="cut-score-prompt">
          <span class="muted">{number}</span>
          <Html html={promptHtml} lang={lang} />
        </div>
        {options && (
          <ul class="small">
            {options.map((option) => (
              <li key={option.id} class={correct.includes(option.id) ? 'is-key' : undefined}>
                {correct.includes(option.id) && <Icon name="check" />}
                <Html html={option.textHtml} lang={lang} />
                {correct.includes(option.id) && <span class="unseen"> ({text('cutScore.key')})</span>}
              </li>
            ))}
          </ul>
        )}
        {key && <p class="small muted">{text('cutScore.keyIs', { key })}</p>}
      </div>
      <Field name={`percent ${id}`} label={text('cutScore.percent', { number })} pointer={pointer}>
        {(attributes) => (
          <input
            {...attributes}
            inputMode="decimal"
            autocomplete="off"
            maxLength={6}
            value={value}
            onInput={(event) => change(event.currentTarget.value)}
          />
        )}
      </Field>
    </li>
  )
}
