// The question bank: questions that all assessments of the organization can use.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, cursorOf, v1, type Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { number } from '../core/figures.ts'
import { Filters, firstPage, Search } from '../core/filters.tsx'
import { When } from '../core/formats.tsx'
import { Icon } from '../core/icons.tsx'
import { Menu } from '../core/menu.tsx'
import { ActionLink, Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, Loaded, NoMatch } from '../core/states.tsx'
import { Pager, Table, type Column } from '../core/table.tsx'
import { to, useAddress } from '../core/url.ts'
import { AskDialog, itemsOf, type Asked } from './actions.tsx'
import { TagList, useTags } from './tags.tsx'
import { has, tagsIn, titleOf } from './words.ts'

type Summary = Schemas['BankQuestionSummary']

const limit = 50

export default function Screen() {
  const { query: address, change, with: link } = useAddress()
  const { q, after } = address
  const tag = tagsIn(address.tag)
  const archived = address.archived === 'true'
  const params = {
    limit,
    ...(q && { q }),
    ...(tag.length > 0 && { tag }),
    ...(archived && { archived }),
    ...(after && { after }),
  }
  const query = useQuery(`/v1/questions?${JSON.stringify(params)}`, () =>
    ask(
      v1.GET('/v1/questions', {
        params: { query: params },
        querySerializer: { array: { style: 'form', explode: false } },
      }),
    ),
  )
  const [asked, setAsked] = useState<Asked>()
  const isFiltered = Boolean(q || tag.length > 0)
  const tab = (label: string, value: string | undefined) => ({
    label,
    href: link({ archived: value, ...firstPage }),
    isCurrent: archived === Boolean(value),
  })
  return (
    <Page
      title={text('nav.questions')}
      actions={
        <ActionLink href={to('/questions/new')} kind="primary" reason={needs('EDITOR')}>
          <Icon name="plus" />
          {text('bank.new')}
        </ActionLink>
      }
      tabs={[tab(text('bank.current'), undefined), tab(text('bank.archived.tab'), 'true')]}
    >
      <Loaded query={query}>
        {(rows) =>
          rows.length === 0 && !isFiltered && !after ? (
            archived ? <Empty icon="questions" title={text('bank.archived.none')} /> : <None />
          ) : (
            <div class="list">
              <Filters>
                <Search label={text('bank.search')} />
                <TagFilter tags={tag} />
              </Filters>
              {rows.length > 0 ? (
                <Table
                  caption={text('nav.questions')}
                  rows={rows}
                  columns={columns(setAsked, query.reload)}
                  keyOf={(row) => row.id}
                  hrefOf={(row) => to(`/questions/${row.id}`)}
                />
              ) : query.response && cursorOf(query.response) ? (
                <Empty title={text('bank.notHere')} />
              ) : (
                <NoMatch clear={() => change({ q: undefined, tag: undefined, ...firstPage })} />
              )}
              <Pager response={query.response} count={rows.length} />
            </div>
          )
        }
      </Loaded>
      {asked && (
        <AskDialog asked={asked} archived={query.reload} deleted={query.reload} close={() => setAsked(undefined)} />
      )}
    </Page>
  )
}

/** TagFilter adds one tag at a time. A question must have all of them, as for a pool. */
function TagFilter({ tags }: { tags: string[] }) {
  const { change } = useAddress()
  const all = useTags().filter(({ name }) => !has(tags, name))
  const set = (next: string[]) => change({ tag: next.join(',') || undefined, ...firstPage })
  return (
    <>
      {all.length > 0 && (
        <label class="filter">
          <span class="unseen">{text('bank.filter.tag')}</span>
          <select
            class="field small"
            value=""
            onChange={(event) => {
              const { value } = event.currentTarget
              event.currentTarget.value = ''
              if (value) set([...tags, value])
            }}
          >
            <option value="">{text(tags.length > 0 ? 'bank.filter.more' : 'bank.filter.all')}</option>
            {all.map(({ name, count }) => (
              <option key={name} value={name} translate={false}>
                {text('bank.tags.suggestion', { name, count })}
              </option>
            ))}
          </select>
        </label>
      )}
      <TagList
        label={text('bank.filter.tag')}
        tags={tags}
        nameOf={(tag) => text('bank.filter.remove', { tag })}
        remove={(tag) => set(tags.filter((one) => one !== tag))}
      />
    </>
  )
}

function columns(ask: (asked: Asked) => void, reload: () => void): Column<Summary>[] {
  return [
    {
      id: 'prompt',
      label: text('bank.column.question'),
      cell: (row) => (
        <>
          <a href={to(`/questions/${row.id}`)}>{titleOf(row.prompt)}</a>
          <span class="small muted">
            {typeOf(row.type)} · {text('bank.points', { count: row.points })}
          </span>
          {row.tags.length > 0 && (
            <span style={tagsStyle}>
              {row.tags.map((tag) => (
                <span key={tag} class="tag" translate={false}>
                  {tag}
                </span>
              ))}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'usedIn',
      label: text('bank.column.used'),
      isNumber: true,
      isMinor: true,
      cell: ({ usedIn }) => (usedIn === 0 ? <span class="muted">0</span> : number(usedIn)),
    },
    {
      id: 'updatedAt',
      label: text('bank.column.changed'),
      isMinor: true,
      cell: (row) => (
        <span class="muted">
          <When at={row.updatedAt} isRelative />
        </span>
      ),
    },
    {
      id: 'actions',
      label: text('bank.column.actions'),
      isLabelUnseen: true,
      isNumber: true,
      cell: (row) => (
        <Menu
          label={text('bank.actionsOf', { title: titleOf(row.prompt) })}
          items={itemsOf({ question: { ...row, title: titleOf(row.prompt) }, ask, restored: reload })}
          isFloating
        />
      ),
    },
  ]
}

// The styles of the dashboard are loaded at once, so a part that few people open has its styles in its code.
const tagsStyle = { display: 'flex', flexWrap: 'wrap', gap: 'var(--s1)', marginTop: 'var(--s1)' }

function typeOf(type: string): string {
  const key = `bank.type.${type}`
  return hasText(key) ? text(key) : type
}

function None() {
  const reason = needs('EDITOR')
  return (
    <Empty
      icon="questions"
      title={text('bank.none.title')}
      action={
        <ActionLink href={to('/questions/new')} reason={reason}>
          {text('bank.none.first')}
        </ActionLink>
      }
    >
      <p>{text('bank.none.text')}</p>
    </Empty>
  )
}
