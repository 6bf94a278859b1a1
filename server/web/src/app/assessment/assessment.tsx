// The overview of an assessment: how many candidates came how far, and how they did.
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { ReliabilityCard } from '../reliability/lazy.ts'
import { Comparison, SegmentBar } from '../segments/lazy.ts'
import { useStatistics } from '../segments/query.ts'
import { Figures, Funnel } from './figures.tsx'
import { AssessmentPage, notInvitable, totalOf, type AssessmentDetail } from './head.tsx'
import { Scores, Stages } from './scores.tsx'

export default function Screen({ params }: { params: Record<string, string> }) {
  return (
    <AssessmentPage id={params.id!} tab="overview">
      {(assessment) => {
        if (assessment.status === 'DRAFT') return <Draft assessment={assessment} />
        return (
          <>
            {assessment.status === 'PUBLISHED' && <RegistrationNote id={assessment.id} />}
            {totalOf(assessment.sessionCounts) === 0 ? <NoCandidates assessment={assessment} /> : <Overview id={assessment.id} />}
          </>
        )
      }}
    </AssessmentPage>
  )
}

/** RegistrationNote says that people can register themselves, which is opened and closed on the screen for invites. */
function RegistrationNote({ id }: { id: string }) {
  const { data } = useQuery(`/v1/assessments/${id}/registration`, () =>
    ask(v1.GET('/v1/assessments/{id}/registration', { params: { path: { id } } })),
  )
  if (!data?.open) return null
  const { used, limit, endsAt } = data
  if ((limit !== null && used >= limit) || (endsAt !== null && Date.parse(endsAt) <= Date.now())) return null
  return (
    <p class="note candidate-note">
      <span>
        {text('assessment.registration', { count: used })}{' '}
        <a href={to('/invite', { assessment: id, link: '1' })}>{text('assessment.registration.show')}</a>
      </span>
    </p>
  )
}

function Overview({ id }: { id: string }) {
  const { segment } = useAddress().query
  const { statistics: query, isCounting, pace } = useStatistics(id, segment)
  return (
    <>
      <SegmentBar id={id} isCounting={isCounting} />
      <Loaded query={query}>
        {(statistics) => (
          <>
            <Figures statistics={statistics} />
            <div class="two">
              <div>
                <Scores statistics={statistics} />
                {/* A segment has only sessions that have finished. */}
                {statistics.segmentId === null && <Funnel statistics={statistics} />}
                {segment && <Comparison id={id} segment={segment} every={pace} />}
              </div>
              <div>
                <ReliabilityCard id={id} statistics={statistics} />
                <Stages statistics={statistics} />
              </div>
            </div>
            <p class="small muted assessment-live">{text('assessment.live')}</p>
          </>
        )}
      </Loaded>
    </>
  )
}

function Draft({ assessment }: { assessment: AssessmentDetail }) {
  const { id, stageCount, questionCount } = assessment
  const reason = needs('EDITOR')
  return (
    <Empty
      icon="edit"
      title={text('assessment.draft.title')}
      action={
        !reason && (
          <a class="button" href={to(`/assessments/${id}/edit`)}>
            {text('assessment.draft.edit')}
          </a>
        )
      }
    >
      <p>{text('assessment.draft.content', { stages: stageCount, questions: questionCount })}</p>
      <p>{reason ?? text('assessment.draft.text')}</p>
    </Empty>
  )
}

function NoCandidates({ assessment }: { assessment: AssessmentDetail }) {
  const reason = notInvitable(assessment)
  return (
    <Empty
      icon="candidates"
      title={text('assessment.none.title')}
      action={
        !reason && (
          <a class="button" href={to('/invite', { assessment: assessment.id })}>
            {text('assessment.invite')}
          </a>
        )
      }
    >
      <p>{reason ?? text('assessment.none.text')}</p>
    </Empty>
  )
}
