// Chooses an assessment. An organization can have thousands, so the server searches.
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, cursorOf, v1, type Schemas } from '../core/api.ts'
import { useQuery } from '../core/query.ts'
import { FaultNote } from '../core/states.tsx'
import { FilterMenu } from './filter_menu.tsx'

export type Assessment = Schemas['Assessment']
type Status = 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'

interface Texts {
  label: string
  search: string
  none: string
  more: string
  untitled: string
  /** The option that chooses none. */
  all?: string
}

interface Props {
  texts: Texts
  value: string | undefined
  title: string | undefined
  status?: Status
  choose(assessment: Assessment | undefined): void
  isField?: boolean
}

export function AssessmentMenu({ texts, value, title, status, choose, isField }: Props) {
  return (
    <FilterMenu label={texts.label} value={value ? (title ?? '…') : undefined} {...(isField && { isField })}>
      {(close) => (
        <Options
          texts={texts}
          value={value}
          status={status}
          choose={(assessment) => {
            close()
            choose(assessment)
          }}
        />
      )}
    </FilterMenu>
  )
}

const limit = 50

function Options({ texts, value, status, choose }: Pick<Props, 'texts' | 'value' | 'choose'> & { status: Status | undefined }) {
  const [typed, setTyped] = useState('')
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), 200)
    return () => clearTimeout(timer)
  }, [typed])
  const query = { limit, ...(q && { q }), ...(status && { status }) }
  const found = useQuery(`/v1/assessments?pick=${status ?? ''} ${q}`, () => ask(v1.GET('/v1/assessments', { params: { query } })))
  const rows = found.data ?? []
  const isMany = q !== '' || typed !== '' || rows.length > 8
  return (
    <>
      <input
        type="search"
        class={isMany ? 'field small' : 'unseen'}
        aria-label={texts.search}
        placeholder={texts.search}
        maxLength={200}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {found.fault && <FaultNote fault={found.fault} retry={found.reload} />}
      <div class="options" role="group" aria-label={texts.label}>
        {texts.all && (
          <button type="button" aria-pressed={value === undefined} onClick={() => choose(undefined)}>
            {texts.all}
          </button>
        )}
        {rows.map((assessment) => (
          <button
            key={assessment.id}
            type="button"
            aria-pressed={assessment.id === value}
            onClick={() => choose(assessment)}
          >
            {assessment.title || texts.untitled}
          </button>
        ))}
      </div>
      {found.data && rows.length === 0 && <p class="muted small">{texts.none}</p>}
      {found.response && cursorOf(found.response) && <p class="muted small">{texts.more}</p>}
      {!found.data && !found.fault && <p class="muted small">{text('state.loading')}</p>}
    </>
  )
}
