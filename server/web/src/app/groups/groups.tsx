// Whether groups of candidates pass at different rates, and the voluntary questions that say who belongs to a group.
import { rich, text } from '../../shared/i18n.tsx'
import { AssessmentPage, type AssessmentDetail } from '../assessment/head.tsx'
import { ask, v1 } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { GroupTable } from './table.tsx'
import { VoluntaryQuestions } from './voluntary.tsx'

export default function Screen({ params }: { params: Record<string, string> }) {
  return <AssessmentPage id={params.id!}>{(assessment) => <Groups assessment={assessment} />}</AssessmentPage>
}

function Groups({ assessment: { id } }: { assessment: AssessmentDetail }) {
  const reason = needs('ADMIN')
  const query = useQuery(reason ? undefined : `/v1/assessments/${id}/statistics/groups`, () =>
    ask(v1.GET('/v1/assessments/{id}/statistics/groups', { params: { path: { id } } })),
  )
  if (reason) {
    return (
      <Empty icon="members" title={text('groups.title')}>
        <p>{reason}</p>
      </Empty>
    )
  }
  return (
    <>
      <Loaded query={query}>
        {({ questions, computedAt }) =>
          questions.length === 0 ? (
            <Empty icon="members" title={text('groups.none.title')}>
              <p>{text('groups.none.text')}</p>
            </Empty>
          ) : (
            <section class="card">
              <h2>{text('groups.title')}</h2>
              <p class="muted">{text('groups.text')}</p>
              {computedAt === null ? (
                <p class="note">{text('groups.early')}</p>
              ) : (
                <>
                  {questions.map((question) => (
                    <GroupTable key={question.id} question={question} />
                  ))}
                  <p class="small muted">{rich('groups.computed', { when: <When at={computedAt} /> })}</p>
                </>
              )}
              <p class="small muted">{text('groups.note')}</p>
              <p class="small muted">{text('groups.sources')}</p>
            </section>
          )
        }
      </Loaded>
      <VoluntaryQuestions id={id} saved={query.reload} />
    </>
  )
}
