// One session for a reviewer: the answers, and the decision that they wait for. Nothing says who the candidate is.
import { text } from '../../shared/i18n.tsx'
import { DecisionCard } from '../candidate/lazy.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Page } from '../core/page.tsx'
import { useQuery, type Query } from '../core/query.ts'
import { Empty, FaultNote, PageSkeleton } from '../core/states.tsx'
import { to } from '../core/url.ts'

type Session = Schemas['CandidateSession']

export default function Screen({ params }: { params: Record<string, string> }) {
  return <Judged key={params.id} id={params.id!} />
}

function Judged({ id }: { id: string }) {
  const query: Query<Session> = useQuery(`/v1/candidate-sessions/${id} judged`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}', { params: { path: { id } } })),
  )
  const session = query.data
  const assessment = useQuery(session && `/v1/assessments/${session.assessmentId}`, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id: session!.assessmentId } } })),
  )
  // To a reviewer, a session that no longer waits does not exist.
  const isOver = query.fault?.status === 404 || (session && session.status !== 'IN_REVIEW')
  if (!session && !query.fault) return <PageSkeleton />
  return (
    <Page
      title={session?.assessmentTitle ?? text('judging.session')}
      isName={session !== undefined}
      crumbs={[{ label: text('judging.title'), href: to('/') }]}
    >
      {isOver ? (
        <Empty
          icon="check"
          title={text('judging.over.title')}
          action={
            <a class="button primary" href={to('/')}>
              {text('judging.over.next')}
            </a>
          }
        >
          <p>{text('judging.over.text')}</p>
        </Empty>
      ) : query.fault ? (
        <FaultNote fault={query.fault} retry={query.reload} />
      ) : (
        <DecisionCard
          session={{ ...session!, candidateName: text('judging.candidate') }}
          assessment={assessment.data}
          done={query.set}
          reload={query.reload}
        />
      )}
    </Page>
  )
}
