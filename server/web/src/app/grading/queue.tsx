// What waits for a grade: the assessments and their questions, with the oldest answer first.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { number } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { ActionLink, Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { isReviewer } from '../core/roles.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'

type Waiting = Schemas['GradingQueueQuestion']

/** Answers come in, and colleagues grade, while the screen is visible. */
const every = 15_000

export function Queue() {
  const query = useQuery('/v1/grading', () => ask(v1.GET('/v1/grading')), { every })
  return (
    <Page title={text('grading.title')}>
      <Loaded query={query}>
        {({ questions, hasMore }) =>
          questions.length === 0 ? (
            <Empty icon="check" title={text('grading.empty.title')}>
              <p>{text('grading.empty.text')}</p>
            </Empty>
          ) : (
            <>
              <p class="lead-in">{text('grading.lead', { count: sum(questions, 'waiting') })}</p>
              {groupsOf(questions).map((group) => (
                <Assessment key={group[0]!.assessmentId} questions={group} />
              ))}
              {hasMore && <p class="small muted grading-more">{text('grading.more')}</p>}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

const sum = (questions: Waiting[], field: 'waiting' | 'open') =>
  questions.reduce((total, question) => total + question[field], 0)

/** groupsOf puts the questions of an assessment together. The assessment with the oldest answer is first. */
function groupsOf(questions: Waiting[]): Waiting[][] {
  const groups = new Map<string, Waiting[]>()
  for (const question of questions) {
    const { assessmentId } = question
    groups.set(assessmentId, [...(groups.get(assessmentId) ?? []), question])
  }
  return [...groups.values()]
}

function Assessment({ questions }: { questions: Waiting[] }) {
  const { assessmentId, assessmentTitle } = questions[0]!
  return (
    <section class="card">
      <div class="card-head">
        <h2 translate={false}>{assessmentTitle}</h2>
        {!isReviewer() && (
          <a class="small" href={to(`/assessments/${assessmentId}/grading`)}>
            {text('grading.agreement.link')}
          </a>
        )}
      </div>
      <ul class="grading-queue">
        {questions.map((question) => (
          <Item key={question.questionId} question={question} />
        ))}
      </ul>
      {questions.length > 1 && sum(questions, 'open') > 0 && (
        <a class="button small" href={to('/grading', { assessment: assessmentId })}>
          {text('grading.start.all', { count: sum(questions, 'open') })}
        </a>
      )}
    </section>
  )
}

function Item({ question }: { question: Waiting }) {
  const { assessmentId, questionId, prompt, points, waiting, claimed, mine, open, done, oldestSince, dueAt } = question
  const isOverdue = Date.parse(dueAt) < Date.now()
  const others = claimed - mine
  return (
    <li>
      <div>
        <p class="grading-prompt" dir="auto" translate={false}>
          {prompt}
        </p>
        <p class="small muted">
          {text('grading.points', { points: number(points, 2), count: points })} ·{' '}
          {text('grading.since')} <When at={oldestSince} isRelative /> · {text('grading.due')}{' '}
          <When at={dueAt} isRelative /> {isOverdue && <span class="tag warn">{text('grading.overdue')}</span>}
        </p>
        {(others > 0 || done > 0) && (
          <p class="small muted">
            {others > 0 && text('grading.others', { count: others })} {done > 0 && text('grading.done', { count: done })}
          </p>
        )}
      </div>
      <p class="grading-count">
        <b>{number(waiting)}</b> <span class="small muted">{text('grading.waiting', { count: waiting })}</span>
      </p>
      <ActionLink
        href={to('/grading', { assessment: assessmentId, question: questionId })}
        kind="primary"
        reason={open > 0 ? undefined : text('grading.notYours')}
      >
        {text(mine > 0 ? 'grading.continue' : 'grading.start')}
      </ActionLink>
    </li>
  )
}
