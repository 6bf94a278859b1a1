// The list of assessments.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ArchiveDialog, DeleteDialog, duplicate } from '../assessment/actions.tsx'
import { every, notInvitable, StatusTag, whyNotArchive } from '../assessment/head.tsx'
import { takeItYourself } from '../assessment/preview.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Filters, firstPage, Search } from '../core/filters.tsx'
import { number } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import { Menu, type MenuItem } from '../core/menu.tsx'
import { ActionLink, Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, Loaded, NoMatch } from '../core/states.tsx'
import { Pager, Table, type Column } from '../core/table.tsx'
import { to, useAddress } from '../core/url.ts'

type Assessment = Schemas['CountedAssessment']
type Question = { kind: 'archive' | 'delete'; assessment: Assessment }

const limit = 50
const statuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const
type Status = (typeof statuses)[number]
const sorts = ['title', '-title', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const
const defaultSort = '-updatedAt'

/** oneOf returns the value if it is one of the contract's. An address can contain anything. */
function oneOf<T extends string>(values: readonly T[], value: string | undefined): T | undefined {
  return values.find((one) => one === value)
}

export default function Screen() {
  const { query: address, change } = useAddress()
  const status = oneOf(statuses, address.status)
  const sort = oneOf(sorts, address.sort) ?? defaultSort
  const { q, after } = address
  const params = { limit, sort, ...(status && { status }), ...(q && { q }), ...(after && { after }) }
  const query = useQuery(
    `/v1/assessments?${JSON.stringify(params)}`,
    () => ask(v1.GET('/v1/assessments', { params: { query: params } })),
    { every },
  )
  const [question, setQuestion] = useState<Question>()
  const isFiltered = Boolean(q || status)
  const changed = () => {
    setQuestion(undefined)
    query.reload()
  }

  return (
    <Page
      title={text('assessments.title')}
      actions={
        <ActionLink href={to('/assessments/new')} kind="primary" reason={needs('EDITOR')}>
          <Icon name="plus" />
          {text('assessments.new')}
        </ActionLink>
      }
      tabs={tabs(status)}
    >
      <Loaded query={query}>
        {(rows) =>
          rows.length === 0 && !isFiltered && !after ? (
            <None />
          ) : (
            <div class="list">
              <Filters>
                <Search label={text('assessments.search')} />
              </Filters>
              {rows.length === 0 ? (
                <NoMatch clear={() => change({ q: undefined, status: undefined, ...firstPage })} />
              ) : (
                <Table
                  caption={text('assessments.title')}
                  rows={rows}
                  columns={columns(setQuestion)}
                  keyOf={(row) => row.id}
                  hrefOf={(row) => to(`/assessments/${row.id}`)}
                  defaultSort={defaultSort}
                />
              )}
              <Pager response={query.response} count={rows.length} />
            </div>
          )
        }
      </Loaded>
      {question?.kind === 'archive' && (
        <ArchiveDialog assessment={question.assessment} done={changed} close={() => setQuestion(undefined)} />
      )}
      {question?.kind === 'delete' && (
        <DeleteDialog assessment={question.assessment} done={changed} close={() => setQuestion(undefined)} />
      )}
    </Page>
  )
}

function tabs(current: string | undefined) {
  const { with: link } = useAddress()
  const tab = (status: Status | undefined, label: string) => ({
    label,
    href: link({ status, ...firstPage }),
    isCurrent: status === current,
  })
  return [
    tab(undefined, text('assessments.all')),
    tab('PUBLISHED', text('assessments.published')),
    tab('DRAFT', text('assessments.drafts')),
    tab('ARCHIVED', text('assessments.archived')),
  ]
}

function columns(ask: (question: Question) => void): Column<Assessment>[] {
  return [
    {
      id: 'title',
      label: text('assessments.column.title'),
      sort: 'title',
      cell: (row) => (
        <>
          <a href={to(`/assessments/${row.id}`)}>{row.title || text('assessment.untitled')}</a>
          <span class="small muted assessments-size">
            {oneOf(statuses, row.status) && (
              <span class="assessments-status">{text(`assessment.status.${oneOf(statuses, row.status)!}`)} · </span>
            )}
            {text('assessments.questions', { count: row.questionCount })}
            {row.timeLimitMinutes !== null && ` · ${text('assessments.minutes', { count: row.timeLimitMinutes })}`}
          </span>
        </>
      ),
    },
    {
      id: 'status',
      label: text('assessments.column.status'),
      isMinor: true,
      cell: (row) => <StatusTag status={row.status} />,
    },
    count('invited', text('assessments.column.invited'), (row) => row.sessionCounts.invited),
    count('inProgress', text('assessments.column.inProgress'), (row) => row.sessionCounts.inProgress),
    count('inReview', text('assessments.column.inReview'), (row) => row.sessionCounts.inReview),
    count('finished', text('assessments.column.finished'), (row) => finished(row)),
    {
      id: 'updatedAt',
      label: text('assessments.column.updated'),
      sort: 'updatedAt',
      isMinor: true,
      cell: (row) => (
        <span class="muted assessments-time">
          <When at={row.updatedAt} isRelative />
        </span>
      ),
    },
    {
      id: 'actions',
      label: text('assessments.column.actions'),
      isLabelUnseen: true,
      isNumber: true,
      cell: (row) => <RowMenu assessment={row} ask={ask} />,
    },
  ]
}

/** The sessions with a result. */
const finished = ({ sessionCounts: { completed, disqualified } }: Assessment) => completed + disqualified

function count(id: string, label: string, value: (row: Assessment) => number): Column<Assessment> {
  return {
    id,
    label,
    isNumber: true,
    isMinor: id !== 'finished',
    cell: (row) => {
      const sum = value(row)
      // A zero is quieter, so that the rows with candidates stand out.
      return sum === 0 ? <span class="muted">0</span> : number(sum)
    },
  }
}

function RowMenu({ assessment, ask }: { assessment: Assessment; ask(question: Question): void }) {
  const { id, title, status } = assessment
  const { go } = useAddress()
  const isDraft = status === 'DRAFT'
  const items: MenuItem[] = [
    { label: text('assessments.open'), act: () => go(to(`/assessments/${id}`)) },
    {
      label: isDraft ? text('assessment.continue') : text('assessment.view'),
      act: () => go(to(`/assessments/${id}/edit`)),
      reason: isDraft ? needs('EDITOR') : undefined,
    },
    { label: text('assessment.take'), act: () => void takeItYourself(id, go) },
    {
      label: text('assessment.invite'),
      act: () => go(to('/invite', { assessment: id })),
      reason: notInvitable(assessment),
    },
    { label: text('assessment.duplicate'), act: () => void duplicate(id, go), reason: needs('EDITOR') },
    isDraft
      ? {
          label: text('assessment.delete'),
          act: () => ask({ kind: 'delete', assessment }),
          reason: needs('EDITOR'),
          isDanger: true,
        }
      : {
          label: text('assessment.archive'),
          act: () => ask({ kind: 'archive', assessment }),
          reason: whyNotArchive(status),
        },
  ]
  const label = text('assessments.actionsOf', { title: title || text('assessment.untitled') })
  return <Menu label={label} items={items} isFloating />
}

function None() {
  const reason = needs('EDITOR')
  return (
    <Empty
      icon="assessments"
      title={text('assessments.none.title')}
      action={
        <>
          <ActionLink href={to('/assessments/new')} reason={reason}>
            {text('assessments.none.sample')}
          </ActionLink>
          <ActionLink href={to('/assessments/new', { from: 'blank' })} reason={reason}>
            {text('assessments.none.blank')}
          </ActionLink>
          <ActionLink href={to('/assessments/import')} reason={reason}>
            {text('assessments.none.import')}
          </ActionLink>
        </>
      }
    >
      <p>{reason ? text('assessments.none.member') : text('assessments.none.text')}</p>
    </Empty>
  )
}
