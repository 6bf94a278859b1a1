// One candidate: what the result means, how it came about, and what can be done.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Page } from '../core/page.tsx'
import { useQuery, type Query } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { FaultNote, Loaded, PageSkeleton } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { HoldNote } from '../protection/lazy_hold.ts'
import { Actions } from './actions.tsx'
import { Answers, type Keys } from './answers.tsx'
import { useGrades, useLateAnswers } from './decisions.ts'
import { Details } from './details.tsx'
import { AnswerPoints } from './grade.tsx'
import { DecisionCard, EarlierNote, History, LateAnswers, PrintAnswers, Ruled } from './lazy.ts'
import { ProgressCard } from './lazy_dialogs.ts'
import { PrintHead } from './print.tsx'
import { ReviewCard } from './review.tsx'
import { Stages } from './stages.tsx'
import { hasResult, SessionTag } from './status.tsx'
import { StatusNote } from './status_note.tsx'
import { Summary } from './summary.tsx'
import { hasRuling, Timeline, useTimeline } from './timeline.tsx'
import { Webhooks } from './webhooks.tsx'

type Session = Schemas['CandidateSession']
type Assessment = Schemas['AssessmentDetail']

export default function Screen({ params }: { params: Record<string, string> }) {
  return <Candidate key={params.id} id={params.id!} />
}

function Candidate({ id }: { id: string }) {
  const query: Query<Session> = useQuery(
    `/v1/candidate-sessions/${id}`,
    () => ask(v1.GET('/v1/candidate-sessions/{id}', { params: { path: { id } } })),
    // A session that has ended changes only by an action of a person.
    { every: 15_000 },
  )
  const session = query.data
  const assessment = useQuery(session && `/v1/assessments/${session.assessmentId}`, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id: session!.assessmentId } } })),
  )
  const holds = useQuery(needs('ADMIN') ? undefined : `/v1/legal-holds?sessionId=${id}`, () =>
    ask(v1.GET('/v1/legal-holds', { params: { query: { sessionId: id } } })),
  )
  if (!session) {
    if (!query.fault) return <PageSkeleton />
    return (
      <Page title={text('candidate.title')} crumbs={[{ label: text('nav.candidates'), href: to('/candidates') }]}>
        <FaultNote fault={query.fault} retry={query.fault.status === 404 ? undefined : query.reload} />
      </Page>
    )
  }
  return (
    <Page
      title={nameOf(session)}
      isName={!session.erasedAt}
      beside={
        <>
          <SessionTag {...session} />
          {session.test && <span class="tag">{text('candidate.test')}</span>}
        </>
      }
      crumbs={[
        { label: session.assessmentTitle, href: to(`/assessments/${session.assessmentId}`) },
        { label: text('nav.candidates'), href: to(`/assessments/${session.assessmentId}/candidates`) },
      ]}
      actions={<Actions session={session} holds={holds} done={query.set} reload={query.reload} />}
    >
      <PrintHead assessment={session.assessmentTitle} />
      {query.fault && <FaultNote fault={query.fault} retry={query.reload} />}
      {holds.data && holds.data.length > 0 && <HoldNote holds={holds.data} changed={holds.reload} />}
      <StatusNote session={session} />
      <Content session={session} query={query} assessment={assessment.data} />
    </Page>
  )
}

/** nameOf returns the name, or a word for it after an erasure. */
export function nameOf({ candidateName, erasedAt }: Pick<Session, 'candidateName' | 'erasedAt'>): string {
  return erasedAt ? text('candidate.erased') : candidateName
}

interface ContentProps {
  session: Session
  query: Query<Session>
  assessment: Assessment | undefined
}

function Content({ session, query, assessment }: ContentProps) {
  const { id, status, updatedAt } = session
  const titles = new Map(assessment?.stages.map((stage) => [stage.id, stage.title]))
  const isResult = hasResult(session)
  const entries = useTimeline(session)
  const timeline = <Timeline query={entries} stages={titles} />
  return (
    <div class="two candidate-columns">
      <div>
        {status === 'IN_REVIEW' ? (
          <DecisionCard session={session} assessment={assessment} done={query.set} reload={query.reload} />
        ) : (
          hasRuling(entries.data) && (
            <Ruled session={session} entries={entries.data!} stages={titles} done={query.set} />
          )
        )}
        {isResult && <Finished session={session} query={query} assessment={assessment} />}
        {status === 'IN_PROGRESS' && <ProgressCard id={id} ended={query.reload} />}
        {!isResult && timeline}
        {!session.test && <Webhooks id={id} version={updatedAt} />}
      </div>
      <div>
        <ReviewCard session={session} done={query.set} reload={query.reload} />
        <Details session={session} />
        {isResult && timeline}
      </div>
    </div>
  )
}

function Finished({ session, query: { set, reload }, assessment }: ContentProps) {
  const { id, updatedAt, erasedAt } = session
  const address = useAddress()
  const { revision } = address.query
  const query = useQuery(`/v1/candidate-sessions/${id}/result ${updatedAt}`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}/result', { params: { path: { id } } })),
  )
  const earlier = useQuery(revision && `/v1/candidate-sessions/${id}/result/revisions/${revision}`, () =>
    ask(
      v1.GET('/v1/candidate-sessions/{id}/result/revisions/{revision}', {
        params: { path: { id, revision: revision! } },
      }),
    ),
  )
  const grades = useGrades(session)
  const late = useLateAnswers(session)
  const keys: Keys = new Map(
    assessment?.stages.flatMap(({ questions }) => questions).map((question) => [question.id, question]),
  )
  return (
    <Loaded query={revision ? earlier : query}>
      {(result) => (
        <>
          {revision && <EarlierNote present={address.with({ revision: undefined })} />}
          <Summary result={result} />
          <Stages result={result} />
          <Answers
            result={result}
            keys={keys}
            lang={assessment?.locale}
            isErased={erasedAt !== null}
            beside={(question) =>
              !revision &&
              !erasedAt && (
                <AnswerPoints
                  sessionId={id}
                  question={question}
                  fullKey={keys.get(question.id)}
                  grade={grades.data?.find(({ questionId }) => questionId === question.id)}
                  changed={reload}
                />
              )
            }
          />
          {!revision && !erasedAt && late.data && late.data.length > 0 && (
            <LateAnswers session={session} result={result} query={late} done={set} />
          )}
          {(query.data ?? result).revision > 1 && <History session={session} result={query.data ?? result} />}
          <PrintAnswers result={result} keys={keys} lang={assessment?.locale} />
        </>
      )}
    </Loaded>
  )
}
