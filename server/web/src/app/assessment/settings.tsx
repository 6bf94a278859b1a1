// The settings of an assessment: own notifications, what applies to candidates, and duplicate, archive, delete.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { CheckField } from '../core/forms.tsx'
import { number, score } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { useQuery, type Query } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { me } from '../core/me.ts'
import { Loaded, messageOf } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { EmailTexts } from '../email-texts/lazy.ts'
import { GradingRules } from '../grading_rules/lazy.ts'
import { OfAssessment } from '../protection/lazy.ts'
import { ArchiveDialog, DeleteDialog, duplicate } from './actions.tsx'
import { Repeat } from './repeat.tsx'
import { AssessmentPage, needsPeople, whyNotArchive, type AssessmentDetail } from './head.tsx'

export default function Screen({ params }: { params: Record<string, string> }) {
  return (
    <AssessmentPage id={params.id!} tab="settings">
      {(assessment, query) => (
        <>
          <Notifications id={assessment.id} />
          <Repeat assessment={assessment} query={query} />
          {needsPeople(assessment) && <GradingRules assessment={assessment} query={query} />}
          <Emails assessment={assessment} />
          <OfAssessment assessment={assessment} />
          <Facts assessment={assessment} />
          <Rows assessment={assessment} query={query} />
        </>
      )}
    </AssessmentPage>
  )
}

/** Emails are the texts of the emails to candidates. The screen for invites links to them with a hash. */
function Emails({ assessment: { id, locale } }: { assessment: AssessmentDetail }) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (location.hash === '#email-texts') requestAnimationFrame(() => section.current!.focus())
  }, [])
  return (
    <section class="card email-texts" tabIndex={-1} ref={section}>
      <EmailTexts assessmentId={id} locale={locale} />
    </section>
  )
}

function Notifications({ id }: { id: string }) {
  const query = useQuery(`/v1/assessments/${id}/notifications`, () =>
    ask(v1.GET('/v1/assessments/{id}/notifications', { params: { path: { id } } })),
  )
  const { emailEnabled } = me.value!.organization
  const change = async (finishedEmail: boolean) => {
    const answer = await ask(
      v1.PUT('/v1/assessments/{id}/notifications', { params: { path: { id } }, body: { finishedEmail } }),
    )
    if (!answer.ok) return notify(messageOf(answer.fault))
    query.set(answer.data)
    notify(text(finishedEmail ? 'assessment.notify.on' : 'assessment.notify.off'))
  }
  return (
    <section class="card">
      <h2>{text('assessment.notify.title')}</h2>
      <Loaded query={query} skeleton={<div class="assessment-tick-space" />}>
        {({ finishedEmail }) => (
          <CheckField
            label={text('assessment.notify.finished')}
            hint={text('assessment.notify.hint')}
            isChecked={finishedEmail}
            change={(isChecked) => void change(isChecked)}
            reason={emailEnabled ? undefined : text('assessment.notify.noEmail')}
          />
        )}
      </Loaded>
    </section>
  )
}

function Facts({ assessment }: { assessment: AssessmentDetail }) {
  const { id, status } = assessment
  const minutes = (count: number | null) =>
    count === null ? text('assessment.fact.noLimit') : text('assessment.fact.minutes', { count })
  const time = (at: string | null, none: string) => (at === null ? none : <When at={at} />)
  const yes = (value: boolean) => text(value ? 'assessment.fact.yes' : 'assessment.fact.no')
  const facts: [string, ComponentChildren][] = [
    [text('assessment.fact.content'), contentOf(assessment)],
    [
      text('assessment.fact.passingScore'),
      assessment.passingScore === null ? text('assessment.fact.none') : score(assessment.passingScore),
    ],
    [text('assessment.fact.timeLimit'), minutes(assessment.timeLimitMinutes)],
    [text('assessment.fact.expiry'), text('assessment.fact.days', { count: assessment.inviteExpiryDays })],
    [text('assessment.fact.opens'), time(assessment.opensAt, text('assessment.fact.always'))],
    [text('assessment.fact.closes'), time(assessment.closesAt, text('assessment.fact.never'))],
    [text('assessment.fact.shuffleQuestions'), yes(assessment.shuffleQuestions)],
    [text('assessment.fact.shuffleOptions'), yes(assessment.shuffleOptions)],
    [text('assessment.fact.reminders'), remindersOf(assessment)],
    [text('assessment.fact.redirect'), assessment.redirectUrl ?? text('assessment.fact.redirectDefault')],
    [text('assessment.fact.created'), <When at={assessment.createdAt} />],
    ...(assessment.publishedAt
      ? [[text('assessment.fact.published'), <When at={assessment.publishedAt} />] as [string, ComponentChildren]]
      : []),
    ...(assessment.archivedAt
      ? [[text('assessment.fact.archived'), <When at={assessment.archivedAt} />] as [string, ComponentChildren]]
      : []),
  ]
  return (
    <section class="card">
      <h2>{text('assessment.fact.title')}</h2>
      <p class="muted">{text(status === 'DRAFT' ? 'assessment.fact.draft' : 'assessment.fact.text')}</p>
      <dl class="facts-list">
        {facts.map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      {status !== 'ARCHIVED' && (
        <p class="assessment-change">
          <a class="button small" href={to(`/assessments/${id}/edit`)}>
            {text('assessment.fact.change')}
          </a>
        </p>
      )}
    </section>
  )
}

function contentOf({ stageCount, questionCount, maxPoints }: AssessmentDetail): string {
  return text('assessment.fact.contentValue', {
    stages: stageCount,
    questions: questionCount,
    points: number(maxPoints, 2),
  })
}

function remindersOf({ remindAfterHours }: AssessmentDetail): string {
  if (remindAfterHours.length === 0) return text('assessment.fact.reminderLast')
  const times = remindAfterHours.map((hours) =>
    hours % 24 === 0
      ? text('assessment.fact.days', { count: hours / 24 })
      : text('assessment.fact.hours', { count: hours }),
  )
  return text('assessment.fact.reminderAfter', { times: times.join(', ') })
}

/** Rows are the actions of the menu, each with a sentence that says what it does. */
function Rows({ assessment, query }: { assessment: AssessmentDetail; query: Query<AssessmentDetail> }) {
  const { go } = useAddress()
  const [question, setQuestion] = useState<'archive' | 'delete'>()
  const isDraft = assessment.status === 'DRAFT'
  return (
    <section class="card setting-rows">
      <div>
        <div>
          <h2>{text('assessment.duplicate')}</h2>
          <p class="muted small">{text('assessment.duplicate.text')}</p>
        </div>
        <Action isSmall reason={needs('EDITOR')} act={() => void duplicate(assessment.id, go)}>
          {text('assessment.duplicate')}
        </Action>
      </div>
      {isDraft ? (
        <div>
          <div>
            <h2>{text('assessment.delete')}</h2>
            <p class="muted small">{text('assessment.delete.text')}</p>
          </div>
          <Action isSmall reason={needs('EDITOR')} act={() => setQuestion('delete')}>
            {text('assessment.delete.ask')}
          </Action>
        </div>
      ) : (
        <div>
          <div>
            <h2>{text('assessment.archive')}</h2>
            <p class="muted small">{text('assessment.archive.text')}</p>
          </div>
          <Action isSmall reason={whyNotArchive(assessment.status)} act={() => setQuestion('archive')}>
            {text('assessment.archive.ask')}
          </Action>
        </div>
      )}
      {question === 'archive' && (
        <ArchiveDialog assessment={assessment} done={query.set} close={() => setQuestion(undefined)} />
      )}
      {question === 'delete' && <DeleteDialog assessment={assessment} close={() => setQuestion(undefined)} />}
    </section>
  )
}
