// The head of an assessment's screens: title, status, actions, and tabs.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { number } from '../core/figures.ts'
import { lazy } from '../core/lazy.ts'
import { Menu } from '../core/menu.tsx'
import { Action, ActionLink, Page } from '../core/page.tsx'
import { useQuery, type Query } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { FaultNote, PageSkeleton } from '../core/states.tsx'
import { loadTexts } from '../core/texts.ts'
import { to, useAddress } from '../core/url.ts'
import exportDe from '../export/de.json?url'
import exportEn from '../export/en.json?url'
import { ArchiveDialog, DeleteDialog, duplicate } from './actions.tsx'
import { takeItYourself } from './preview.ts'

const ExportDialog = lazy(async () => {
  const [module] = await Promise.all([import('../export/dialog.tsx'), loadTexts({ de: exportDe, en: exportEn })])
  return module.ExportDialog
})

export type AssessmentDetail = Schemas['AssessmentDetail']
export type AssessmentTab = 'overview' | 'candidates' | 'questions' | 'grading' | 'corrections' | 'settings'

/** Results arrive by themselves while the screen is visible. */
export const every = 15_000
/** The server counts an invite some seconds later. The first one must not seem to be lost. */
const everyFirst = 3_000

/** totalOf returns the number of all sessions of an assessment. */
export function totalOf(counts: Schemas['SessionCounts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** notInvitable returns why candidates cannot be invited, or undefined. */
export function notInvitable(assessment: Pick<AssessmentDetail, 'status'>): string | undefined {
  if (assessment.status === 'DRAFT') return text('assessment.invite.draft')
  if (assessment.status === 'ARCHIVED') return text('assessment.invite.archived')
  return undefined
}

interface Props {
  id: string
  /** The screens of the menu have no tab. */
  tab?: AssessmentTab
  children(assessment: AssessmentDetail, query: Query<AssessmentDetail>): ComponentChildren
}

/** AssessmentPage reads the assessment, and shows its head above a tab. */
export function AssessmentPage({ id, tab, children }: Props) {
  const { segment } = useAddress().query
  const [pace, setPace] = useState(every)
  const query = useQuery(
    `/v1/assessments/${id}`,
    () => ask(v1.GET('/v1/assessments/{id}', { params: { path: { id } } })),
    { every: pace },
  )
  const isEmpty = query.data?.status === 'PUBLISHED' && totalOf(query.data.sessionCounts) === 0
  useEffect(() => setPace(isEmpty ? everyFirst : every), [isEmpty])
  const crumbs = [{ label: text('nav.assessments'), href: to('/assessments') }]
  const { data, fault } = query
  const isShown = data !== undefined
  useEffect(() => {
    // In a narrow window, the tabs scroll sideways.
    document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [isShown, tab])
  if (!data) {
    if (!fault) return <PageSkeleton />
    return (
      <Page title={text('assessment.title')} crumbs={crumbs}>
        <FaultNote fault={fault} retry={fault.status === 404 ? undefined : query.reload} />
      </Page>
    )
  }
  return (
    <Page
      title={data.title || text('assessment.untitled')}
      beside={<StatusTag status={data.status} />}
      crumbs={crumbs}
      actions={<Actions assessment={data} query={query} />}
      tabs={tabsOf(data, tab, segment)}
    >
      {fault && <FaultNote fault={fault} retry={query.reload} />}
      {children(data, query)}
    </Page>
  )
}

export function StatusTag({ status }: { status: string }) {
  const key = `assessment.status.${status}`
  return <span class={status === 'PUBLISHED' ? 'tag good' : 'tag'}>{hasText(key) ? text(key) : status}</span>
}

const isFreeText = ({ questions }: Schemas['Stage']) => questions.some(({ type }) => type === 'FREE_TEXT')

/** needsPeople reports whether people grade answers or decide about gates, by a promised time. */
export function needsPeople({ stages }: AssessmentDetail): boolean {
  return stages.some((stage) => isFreeText(stage) || stage.gate?.onFail === 'REVIEW')
}

function tabsOf(assessment: AssessmentDetail, current: AssessmentTab | undefined, segment?: string) {
  const { id, status, sessionCounts, stages } = assessment
  const total = totalOf(sessionCounts)
  const tab = (name: AssessmentTab, path: string, label: string) => ({
    label,
    // The screens with statistics keep the chosen segment.
    href: to(`/assessments/${id}${path}`, /^(overview|questions)$/.test(name) ? { segment } : {}),
    isCurrent: name === current,
  })
  const candidates = text('assessment.tab.candidates')
  return [
    tab('overview', '', text('assessment.tab.overview')),
    tab('candidates', '/candidates', total > 0 ? `${candidates} ${number(total)}` : candidates),
    tab('questions', '/questions', text('assessment.tab.questions')),
    ...(stages.some(isFreeText) ? [tab('grading', '/grading', text('assessment.tab.grading'))] : []),
    ...(status === 'DRAFT' ? [] : [tab('corrections', '/corrections', text('assessment.tab.corrections'))]),
    tab('settings', '/settings', text('assessment.tab.settings')),
  ]
}

function Actions({ assessment, query }: { assessment: AssessmentDetail; query: Query<AssessmentDetail> }) {
  const { id, status } = assessment
  const { go } = useAddress()
  const [dialog, setDialog] = useState<'archive' | 'delete' | 'export'>()
  const [isBusy, setBusy] = useState(false)
  const isDraft = status === 'DRAFT'
  const take = async () => {
    setBusy(true)
    await takeItYourself(id, go)
    setBusy(false)
  }
  const items = [
    { label: text('assessment.report'), act: () => go(to(`/assessments/${id}/report`)) },
    { label: text('assessment.export'), act: () => setDialog('export') },
    { label: text('assessment.duplicate'), act: () => void duplicate(id, go), reason: needs('EDITOR') },
    ...(isDraft
      ? [{ label: text('assessment.delete'), act: () => setDialog('delete'), reason: needs('EDITOR'), isDanger: true }]
      : [{ label: text('assessment.archive'), act: () => setDialog('archive'), reason: whyNotArchive(status) }]),
  ]
  return (
    <>
      <Action act={() => void take()} isBusy={isBusy}>
        {text('assessment.take')}
      </Action>
      {isDraft ? (
        <ActionLink href={to(`/assessments/${id}/edit`)} kind="primary" reason={needs('EDITOR')}>
          {text('assessment.continue')}
        </ActionLink>
      ) : (
        <a class="button" href={to(`/assessments/${id}/edit`)}>
          {text('assessment.view')}
        </a>
      )}
      <ActionLink
        href={to('/invite', { assessment: id })}
        {...(!isDraft && { kind: 'primary' as const })}
        reason={notInvitable(assessment)}
      >
        {text('assessment.invite')}
      </ActionLink>
      <Menu label={text('assessment.more')} items={items} />
      {dialog === 'archive' && (
        <ArchiveDialog assessment={assessment} done={query.set} close={() => setDialog(undefined)} />
      )}
      {dialog === 'export' && <ExportDialog assessment={assessment} close={() => setDialog(undefined)} />}
      {dialog === 'delete' && <DeleteDialog assessment={assessment} close={() => setDialog(undefined)} />}
    </>
  )
}

/** whyNotArchive returns why the person cannot archive an assessment with the status, or undefined. */
export function whyNotArchive(status: string): string | undefined {
  return status === 'ARCHIVED' ? text('assessment.archive.done') : needs('EDITOR')
}
