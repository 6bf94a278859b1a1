// What the assessment is for, how it is administered, and how complete its data are.
import { text } from '../../shared/i18n.tsx'
import type { AssessmentDetail } from '../assessment/head.tsx'
import { hasText } from '../core/faults.ts'
import { number, score, share } from '../core/figures.ts'
import { dayAndTime } from '../core/formats.tsx'
import { shortOf } from '../editor/plain.ts'
import type { ReportData } from './data.ts'

export function Purpose({ assessment, data }: { assessment: AssessmentDetail; data: ReportData }) {
  const { description, stageCount, questionCount, maxPoints, timeLimitMinutes, passingScore } = assessment
  const facts: [string, string][] = [
    [text('report.content'), text('assessment.fact.contentValue', { stages: stageCount, questions: questionCount, points: number(maxPoints, 2) })],
    [text('report.timeLimit'), timeLimitMinutes === null ? text('report.none') : text('report.minutes', { count: timeLimitMinutes })],
    [text('report.passingScore'), passingScore === null ? text('report.none') : score(passingScore)],
    [text('report.period'), periodOf(assessment, data)],
    [text('report.repeats'), repeatsOf(assessment)],
    [text('report.order'), orderOf(assessment)],
    [text('report.changed'), dayAndTime(assessment.updatedAt)],
    [text('report.sessions'), sessionsOf(data)],
    [text('report.missing'), missingOf(data)],
  ]
  return (
    <section class="card">
      <h2>{text('report.purpose')}</h2>
      <p class="report-description">{description ? shortOf(description) : text('report.noDescription')}</p>
      <dl class="facts-list">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** periodOf is the period of the segment, or that in which the assessment is open. */
function periodOf({ opensAt, closesAt, publishedAt }: AssessmentDetail, { statistics, segments }: ReportData): string {
  const filter = segments.find(({ id }) => id === statistics.segmentId)?.filter
  const from = filter?.completedSince ?? opensAt ?? publishedAt
  const to = filter?.completedUntil ?? closesAt
  const since = from ? dayAndTime(from) : '–'
  return to ? text('report.period.value', { from: since, to: dayAndTime(to) }) : text('report.period.open', { from: since })
}

/** repeatsOf says whether a person can be invited again. Later versions can have further rules. */
function repeatsOf({ repeatRule, repeatAfterDays }: AssessmentDetail): string {
  const key = `report.repeats.${repeatRule}`
  return hasText(key) ? text(key, { count: repeatAfterDays }) : repeatRule
}

function orderOf({ shuffleQuestions, shuffleOptions }: AssessmentDetail): string {
  if (shuffleQuestions && shuffleOptions) return text('report.order.both')
  if (shuffleQuestions) return text('report.order.questions')
  return text(shuffleOptions ? 'report.order.options' : 'report.order.none')
}

function sessionsOf({ statistics: { sessionCounts: counts } }: ReportData): string {
  return text('report.sessions.value', {
    completed: number(counts.completed),
    stopped: number(counts.disqualified),
    open: number(counts.inProgress + counts.inReview),
    invited: number(counts.invited),
    expired: number(counts.expired),
    cancelled: number(counts.cancelled),
  })
}

/** missingOf says how many questions that candidates reached have no answer. They count as 0 points. */
function missingOf({ questions }: ReportData): string {
  const reached = questions.reduce((sum, question) => sum + question.reached, 0)
  const answered = questions.reduce((sum, question) => sum + question.answered, 0)
  if (reached === 0) return '–'
  if (reached === answered) return text('report.missing.none')
  return text('report.missing.value', { count: reached - answered, share: share(reached - answered, reached) })
}
