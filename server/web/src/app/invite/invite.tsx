// Invites one candidate, or many from a spreadsheet.
import { useEffect, useState } from 'preact/hooks'
import { me } from '../core/me.ts'
import { ConfirmEmail } from '../confirmation/lazy.ts'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Icon } from '../core/icons.tsx'
import { lazy } from '../core/lazy.ts'
import { Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { Empty, FaultNote, Loaded } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { AssessmentMenu } from '../candidates/assessment_menu.tsx'
import { keptJob, type Job } from './job.ts'
import { One } from './one.tsx'
import { Registration } from './registration.tsx'
import { Interrupted } from './sending.tsx'

// Most invites are for one person.
const Many = lazy(async () => (await import('./many.tsx')).Many)

export default function Screen() {
  const { query } = useAddress()
  const id = query.assessment
  const published = useQuery('/v1/assessments?invite', () =>
    ask(v1.GET('/v1/assessments', { params: { query: { status: 'PUBLISHED', limit: 2 } } })),
  )
  const chosen = useQuery(id && `/v1/assessments/${id}`, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id: id! } } })),
  )
  const assessment = id && !chosen.isStale ? chosen.data : undefined
  const crumbs = assessment
    ? [
        { label: text('nav.assessments'), href: to('/assessments') },
        { label: assessment.title, href: to(`/assessments/${assessment.id}`) },
      ]
    : [{ label: text('nav.candidates'), href: to('/candidates') }]
  return (
    <Page title={text('invite.title')} crumbs={crumbs}>
      {me.value?.mustConfirmEmail && <ConfirmEmail />}
      <Loaded query={published}>
        {(rows) => (rows.length === 0 ? <NonePublished /> : <Content assessment={assessment} only={rows.length === 1 ? rows[0] : undefined} />)}
      </Loaded>
      {id && chosen.fault && <FaultNote fault={chosen.fault} />}
    </Page>
  )
}

function NonePublished() {
  const action = (
    <a class="button primary" href={to('/assessments')}>
      {text('invite.none.action')}
    </a>
  )
  return (
    <Empty icon="assessments" title={text('invite.none.title')} action={action}>
      {text('invite.none.text')}
    </Empty>
  )
}

interface ContentProps {
  assessment: Schemas['AssessmentDetail'] | undefined
  /** The assessment, if only one can be chosen. */
  only: Schemas['Assessment'] | undefined
}

function Content({ assessment, only }: ContentProps) {
  const address = useAddress()
  const { query, change } = address
  const [job, setJob] = useState<Job | undefined>(keptJob)
  const isMany = query.many !== undefined
  const isLink = query.link !== undefined
  useEffect(() => {
    if (only && !query.assessment) change({ assessment: only.id }, true)
  }, [only?.id])
  if (job) return <Interrupted job={job} close={() => setJob(undefined)} />
  const ready = assessment?.status === 'PUBLISHED' ? assessment : undefined
  return (
    <>
      <section class="card invite-target">
        <p class="label">{text('invite.assessment')}</p>
        <AssessmentMenu
          texts={{
            label: text('invite.assessment.choose'),
            search: text('invite.assessment.search'),
            none: text('invite.assessment.none'),
            more: text('invite.assessment.more'),
            untitled: text('invite.assessment.untitled'),
          }}
          value={query.assessment}
          title={assessment?.title}
          status="PUBLISHED"
          choose={(chosen) => change({ assessment: chosen?.id })}
          isField
        />
        {assessment && !ready && (
          <div class="note warn">
            <Icon name="warning" />
            <p>{text(assessment.status === 'DRAFT' ? 'invite.draft' : 'invite.archived')}</p>
          </div>
        )}
      </section>
      {ready?.closesAt && Date.parse(ready.closesAt) <= Date.now() && (
        <div class="note warn">
          <Icon name="warning" />
          <p>{text('problem.assessment_closed')}</p>
        </div>
      )}
      {ready && (
        <>
          <nav class="segmented invite-mode" aria-label={text('invite.mode')}>
            <a href={address.with({ many: undefined, link: undefined })} aria-current={isMany || isLink ? undefined : 'true'}>
              {text('invite.mode.one')}
            </a>
            <a href={address.with({ many: '1', link: undefined })} aria-current={isMany ? 'true' : undefined}>
              {text('invite.mode.many')}
            </a>
            <a href={address.with({ many: undefined, link: '1' })} aria-current={isLink ? 'true' : undefined}>
              {text('invite.mode.link')}
            </a>
          </nav>
          {isLink ? (
            <Registration key={ready.id} assessment={ready} />
          ) : isMany ? (
            <Many key={ready.id} assessment={ready} />
          ) : (
            <One key={ready.id} assessment={ready} />
          )}
        </>
      )}
    </>
  )
}
