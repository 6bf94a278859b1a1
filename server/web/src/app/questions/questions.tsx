// The questions of an assessment: how difficult they are, and whether they separate strong from weak candidates.
import { Html } from '../../shared/html.tsx'
import { list, text } from '../../shared/i18n.tsx'
import { Bar } from '../candidate/bars.tsx'
import { keyWords } from '../candidate/keys.ts'
import { Segmented } from '../candidate/segmented.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { number, percent, share } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { AnswersDrawer } from '../correction/answers.tsx'
import { useCorrections } from '../correction/progress.tsx'
import { correctionWords, inEffect, type Correction } from '../correction/words.ts'
import { AssessmentPage, type AssessmentDetail } from '../assessment/head.tsx'
import { enough } from '../assessment/scores.tsx'
import { SegmentBar } from '../segments/lazy.ts'
import { inSegment, useStatistics } from '../segments/query.ts'
import { isTrouble, optionFigure, optionWords, reliable, summaryOf, troubleOf, verdictsOf } from './verdicts.ts'

type Question = Schemas['QuestionStatistics']
type Reliability = Schemas['Reliability']

export default function Screen({ params }: { params: Record<string, string> }) {
  return (
    <AssessmentPage id={params.id!} tab="questions">
      {(assessment) => <Questions assessment={assessment} />}
    </AssessmentPage>
  )
}

function Questions({ assessment }: { assessment: AssessmentDetail }) {
  const { id, sessionCounts } = assessment
  const { segment } = useAddress().query
  const { params, search } = inSegment(id, segment)
  const count = sessionCounts.completed + sessionCounts.disqualified
  const { statistics, isCounting, pace } = useStatistics(id, segment, count >= enough)
  const query = useQuery(
    count < enough ? undefined : `/v1/assessments/${id}/statistics/questions${search}`,
    () => ask(v1.GET('/v1/assessments/{id}/statistics/questions', { params })),
    { every: pace },
  )
  const { reliability } = statistics.data ?? {}
  if (count < enough) {
    return (
      <Empty
        icon="assessments"
        title={text('questions.few.title')}
        action={
          <a class="button" href={to(`/assessments/${id}/edit`)}>
            {text('assessment.view')}
          </a>
        }
      >
        <p>{text('questions.few.text', { count, enough })}</p>
      </Empty>
    )
  }
  return (
    <>
      <SegmentBar id={id} isCounting={isCounting} />
      <Loaded query={query}>
        {({ questions }) => (
          <List
            assessment={assessment}
            questions={questions}
            reliability={statistics.isStale ? undefined : reliability}
          />
        )}
      </Loaded>
    </>
  )
}

interface ListProps {
  assessment: AssessmentDetail
  questions: Question[]
  /** That of the whole assessment, once it is loaded. */
  reliability: Reliability | undefined
}

function List({ assessment, questions, reliability }: ListProps) {
  const { query, change } = useAddress()
  const { query: corrections, isApplying } = useCorrections(assessment.id)
  const isInOrder = query.sort === 'order'
  // The sort is stable, so questions with equal trouble stay in their order.
  const shown = isInOrder ? questions : [...questions].sort((a, b) => troubleOf(b) - troubleOf(a))
  const opened = query.answers === undefined ? undefined : fullOf(assessment, query.answers)
  return (
    <>
      {reliability && <SummaryNote questions={questions} reliability={reliability} />}
      <div class="sort-links">
        <Segmented
          label={text('questions.sort')}
          name="sort"
          options={[
            { value: undefined, label: text('questions.byTrouble') },
            { value: 'order', label: text('questions.byOrder') },
          ]}
        />
      </div>
      {isApplying && (
        <div class="note assessment-note" role="status">
          <Icon name="info" />
          <p>
            {text('correction.running')}{' '}
            <a href={to(`/assessments/${assessment.id}/corrections`)}>{text('correction.all')}</a>
          </p>
        </div>
      )}
      <ol class="question-list">
        {shown.map((question) => (
          <Item
            key={question.id}
            question={question}
            assessment={assessment}
            reliability={reliability}
            corrections={inEffect(corrections.data ?? [], question.id)}
          />
        ))}
      </ol>
      {opened && (
        <AnswersDrawer
          assessmentId={assessment.id}
          question={opened}
          lang={assessment.locale}
          close={() => change({ answers: undefined })}
        />
      )}
    </>
  )
}

function SummaryNote({ questions, reliability }: { questions: Question[]; reliability: Reliability }) {
  const { words, isTrouble } = summaryOf(questions, reliability)
  return (
    <div class={isTrouble ? 'note warn assessment-note' : 'assessment-note'}>
      {isTrouble && <Icon name="warning" />}
      <p>{words}</p>
    </div>
  )
}

const fullOf = (assessment: AssessmentDetail, id: string) =>
  assessment.stages.flatMap(({ questions }) => questions).find((question) => question.id === id)

interface ItemProps {
  question: Question
  assessment: AssessmentDetail
  reliability: Reliability | undefined
  corrections: Correction[]
}

function Item({ question, assessment, reliability, corrections }: ItemProps) {
  const address = useAddress()
  const stage = assessment.stages.find(({ id }) => id === question.stageId)
  const full = fullOf(assessment, question.id)
  const promptHtml = full?.promptHtml
  const key = full && !full.options ? keyWords(full) : ''
  const type = `questions.type.${question.type}`
  return (
    <li class={isTrouble(question) ? 'card trouble' : 'card'}>
      <div class="question-head small muted">
        <span>{text('questions.question.place', { stage: stage?.title ?? '', order: question.order })}</span>
        <span>
          {hasText(type) ? text(type) : question.type} ·{' '}
          {text('questions.question.points', { points: number(question.maxPoints, 2) })}
          {full?.poolId && ` · ${text('questions.question.drawn', { count: question.reached })}`}
        </span>
      </div>
      <div class="question-body">
        <div>
          {promptHtml === undefined ? <p>{question.prompt}</p> : <Html html={promptHtml} lang={assessment.locale} />}
          {question.options.length > 0 && question.reached >= enough && (
            <Options question={question} lang={assessment.locale} />
          )}
          {key && <p class="small muted question-key">{text('questions.question.key', { key })}</p>}
          {corrections.map((correction) => (
            <p key={correction.id} class="small question-key">
              <span class="tag">{text('correction.corrected')}</span> {correctionWords(full, correction)}
            </p>
          ))}
        </div>
        {question.reached < enough ? (
          <p class="muted">{text('questions.question.few', { count: question.reached, enough })}</p>
        ) : (
          <Verdicts question={question} reliability={reliability} />
        )}
      </div>
      <div class="question-actions">
        {full?.bankQuestionId && (
          <a class="button small" href={to(`/questions/${full.bankQuestionId}`)}>
            {text('questions.question.bank')}
          </a>
        )}
        <a class="button small" href={address.with({ answers: question.id })}>
          {text('correction.answers')}
        </a>
        <Action
          isSmall
          reason={needs('EDITOR')}
          act={() => address.go(to(`/assessments/${assessment.id}/correct`, { question: question.id }))}
        >
          {text('correction.ask')}
        </Action>
      </div>
    </li>
  )
}

function Verdicts({ question, reliability }: Pick<ItemProps, 'question' | 'reliability'>) {
  return (
    <ul class="verdicts">
      {verdictsOf(question, reliability).map((verdict) => (
        <li key={verdict.words} class={verdict.isTrouble ? 'warn' : undefined}>
          <Icon name={verdict.isTrouble ? 'warning' : verdict.icon} />
          <span>
            {verdict.words}
            <span class="small muted block">{verdict.figure}</span>
          </span>
        </li>
      ))}
      {question.reached < reliable && (
        <li>
          <Icon name="info" />
          <span class="muted">{text('questions.question.unreliable', { count: question.reached })}</span>
        </li>
      )}
    </ul>
  )
}

function Options({ question, lang }: { question: Question; lang: string | null }) {
  return (
    <ul class="options" aria-label={text('questions.options.label')}>
      {question.options.map((option) => (
        <li key={option.id} class={option.correct ? 'is-key' : undefined}>
          {option.correct ? <Icon name="check" /> : <span />}
          <span>
            <bdi lang={lang ?? undefined}>{option.text}</bdi>
            {option.correct && <span class="unseen"> ({text('questions.options.key')})</span>}
          </span>
          <span class="small muted" title={list([chosenWords(option), optionFigure(option)].filter(Boolean))}>
            {percentOf(option.chosen, question.reached)}
          </span>
          <Bar value={question.reached === 0 ? 0 : (100 * option.chosen) / question.reached} />
          <Findings option={option} />
        </li>
      ))}
    </ul>
  )
}

const chosenWords = ({ chosen }: Schemas['OptionStatistics']) => text('questions.options.chosen', { count: chosen })

/** Findings says what is unusual about a wrong option, with the figure behind the words. */
function Findings({ option }: { option: Schemas['OptionStatistics'] }) {
  const words = optionWords(option)
  if (words.length === 0) return null
  return (
    <span class="finding">
      <span class="small">{words.join(' ')}</span>{' '}
      {option.findings.includes('CHOSEN_BY_STRONGER') && <span class="small muted">{optionFigure(option)}</span>}
    </span>
  )
}

function percentOf(part: number, whole: number): string {
  return share(part, whole) || percent(0)
}
