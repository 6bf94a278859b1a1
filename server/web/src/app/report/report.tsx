// What an auditor asks for about an assessment, on the screen and on four sheets of paper.
import { text } from '../../shared/i18n.tsx'
import { AssessmentPage, type AssessmentDetail } from '../assessment/head.tsx'
import { SelectFilter } from '../core/filters.tsx'
import { dayAndTime } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import { me } from '../core/me.ts'
import { Action, ActionLink } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import { to, useAddress } from '../core/url.ts'
import { loadReport, type ReportData } from './data.ts'
import { Decisions } from './decisions.tsx'
import { Definitions } from './definitions.tsx'
import { Fairness } from './fairness.tsx'
import { Purpose } from './purpose.tsx'
import { Questions } from './questions.tsx'
import { Reliability } from './reliability.tsx'
import styles from './report.css?text'
import { Scores } from './scores.tsx'

addStyles(styles)

export default function Screen({ params }: { params: Record<string, string> }) {
  return (
    <AssessmentPage id={params.id!}>
      {(assessment) =>
        assessment.status === 'DRAFT' ? (
          <Empty icon="assessments" title={text('report.title')}>
            <p>{text('report.draft')}</p>
          </Empty>
        ) : (
          <Report assessment={assessment} />
        )
      }
    </AssessmentPage>
  )
}

function Report({ assessment }: { assessment: AssessmentDetail }) {
  const segmentId = useAddress().query.segment
  const hasGroups = needs('ADMIN') === undefined
  const { id } = assessment
  const query = useQuery(`report ${id} ${segmentId} ${hasGroups}`, () => loadReport(id, segmentId, hasGroups))
  return (
    <Loaded query={query}>
      {(data) => (
        <>
          <div class="report-bar no-print">
            {data.segments.length > 0 && (
              <SelectFilter
                name="segment"
                label={text('report.segment')}
                options={data.segments.map(({ id, name }) => ({ value: id, label: name }))}
              />
            )}
            <span class="grow" />
            <ActionLink href={to(`/assessments/${id}/groups`)} reason={needs('ADMIN')}>
              {text('report.groups')}
            </ActionLink>
            <ActionLink href={to(`/assessments/${id}/cut-score`)}>{text('report.cutScore')}</ActionLink>
            <Action kind="primary" act={() => print()}>
              <Icon name="print" />
              {text('report.print')}
            </Action>
          </div>
          <Sheets assessment={assessment} data={data} />
        </>
      )}
    </Loaded>
  )
}

function Sheets({ assessment, data }: { assessment: AssessmentDetail; data: ReportData }) {
  return (
    <article class="report">
      <Head data={data} />
      <Purpose assessment={assessment} data={data} />
      <Scores statistics={data.statistics} />
      <Reliability assessment={assessment} statistics={data.statistics} />
      <Questions assessment={assessment} data={data} />
      <Fairness data={data} />
      <Decisions assessment={assessment} data={data} />
      <Definitions />
    </article>
  )
}

/** Head says whose report it is, of which sessions, and who made it when. */
function Head({ data: { statistics, segments } }: { data: ReportData }) {
  const { segmentId, computedAt, complete } = statistics
  const segment = segments.find(({ id }) => id === segmentId)
  const { name = '', organization } = me.value ?? {}
  const made = text('report.made', { name, date: dayAndTime(new Date()), computed: dayAndTime(computedAt) })
  return (
    <header class="report-head">
      <h2>{text('report.title')}</h2>
      <p class="small">
        {organization && <bdi translate={false}>{organization.name}</bdi>} ·{' '}
        {segment ? text('report.of.segment', { name: segment.name }) : text('report.of.all')} · {made}
      </p>
      {!complete && <p class="note">{text('report.incomplete')}</p>}
    </header>
  )
}
