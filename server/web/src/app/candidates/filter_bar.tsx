// The filters above the list of candidates.
import { text } from '../../shared/i18n.tsx'
import { useQuery } from '../core/query.ts'
import { ask, v1 } from '../core/api.ts'
import { Filters, firstPage, Search } from '../core/filters.tsx'
import { number } from '../core/figures.ts'
import { day } from '../core/formats.tsx'
import { stateName } from '../core/review_state.ts'
import { useAddress } from '../core/url.ts'
import { AssessmentMenu } from './assessment_menu.tsx'
import { FilterMenu } from './filter_menu.tsx'
import { datesOf, isPreset, presets, statuses, statusesOf, type Preset, type Status } from './filters.ts'
import type { Summary } from './sessions.ts'
import { useStates } from './state.tsx'
import { statusText } from './status.tsx'

export function FilterBar({ isOfAssessment, summary }: { isOfAssessment: boolean; summary: Summary | undefined }) {
  return (
    <>
      <Filters>
        <Search label={text('candidates.search')} />
        {!isOfAssessment && <AssessmentFilter />}
        <ScoreFilter />
        <PeriodFilter />
        <StateFilter />
        <TagFilter />
        <RatingFilter />
        <TestFilter />
      </Filters>
      <StatusChips summary={summary} />
    </>
  )
}

function AssessmentFilter() {
  const { query, change } = useAddress()
  const id = query.assessment
  const chosen = useQuery(id && `/v1/assessments/${id}`, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id: id! } } })),
  )
  return (
    <AssessmentMenu
      texts={{
        label: text('candidates.assessment'),
        search: text('candidates.assessment.search'),
        none: text('candidates.assessment.none'),
        more: text('candidates.assessment.more'),
        untitled: text('candidates.assessment.untitled'),
        all: text('candidates.assessment.all'),
      }}
      value={id}
      title={chosen.isStale ? undefined : (chosen.data?.title ?? (chosen.fault && id))}
      choose={(assessment) => change({ assessment: assessment?.id, ...firstPage })}
    />
  )
}

/** The states of the organization, also archived ones, because candidates can still be in them. */
function StateFilter() {
  const { query, change } = useAddress()
  const states = useStates()
  return (
    <label class="filter">
      <span class="unseen">{text('candidates.state')}</span>
      <select
        class="field small"
        value={query.state ?? ''}
        onChange={(event) => change({ state: event.currentTarget.value || undefined, ...firstPage })}
      >
        <option value="">{text('candidates.state.all')}</option>
        {states.map((state) => (
          <option key={state.id} value={state.id}>
            {stateName(state)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The tags that candidates have. An organization without any does not see the filter. */
function TagFilter() {
  const { query, change } = useAddress()
  const { tag = '' } = query
  const tags = useQuery('/v1/review-tags', () => ask(v1.GET('/v1/review-tags'))).data ?? []
  const names = tags.map(({ name }) => name)
  if (tag && !names.includes(tag)) names.push(tag)
  if (names.length === 0) return null
  return (
    <label class="filter">
      <span class="unseen">{text('candidates.tag')}</span>
      <select
        class="field small"
        value={tag}
        onChange={(event) => change({ tag: event.currentTarget.value || undefined, ...firstPage })}
      >
        <option value="">{text('candidates.tag.all')}</option>
        {names.map((name) => (
          <option key={name} value={name} translate={false}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function RatingFilter() {
  const { query, change } = useAddress()
  return (
    <label class="filter">
      <span class="unseen">{text('candidates.rating')}</span>
      <select
        class="field small"
        value={query.rating ?? ''}
        onChange={(event) => change({ rating: event.currentTarget.value || undefined, ...firstPage })}
      >
        <option value="">{text('candidates.rating.all')}</option>
        {['5', '4', '3', '2', '1'].map((rating) => (
          <option key={rating} value={rating}>
            {text('candidates.rating.from', { rating })}
          </option>
        ))}
      </select>
    </label>
  )
}

function ScoreFilter() {
  const { query, change } = useAddress()
  const { min, max, passed } = query
  const range = min && max ? `${min}–${max} %` : min ? `≥ ${min} %` : max ? `≤ ${max} %` : undefined
  const words = passed === 'true' ? text('candidates.passed') : passed === 'false' ? text('candidates.notPassed') : undefined
  const value = [range, words].filter(Boolean).join(', ') || undefined
  return (
    <FilterMenu label={text('candidates.score')} value={value}>
      {() => (
        <>
          <div class="pair">
            <NumberField name="min" label={text('candidates.score.min')} />
            <NumberField name="max" label={text('candidates.score.max')} />
          </div>
          <label class="stacked">
            {text('candidates.score.passed')}
            <select
              class="field small"
              value={passed ?? ''}
              onChange={(event) => change({ passed: event.currentTarget.value || undefined, ...firstPage })}
            >
              <option value="">{text('candidates.score.either')}</option>
              <option value="true">{text('candidates.passed')}</option>
              <option value="false">{text('candidates.notPassed')}</option>
            </select>
          </label>
          <Clear names={['min', 'max', 'passed']} />
        </>
      )}
    </FilterMenu>
  )
}

function NumberField({ name, label }: { name: string; label: string }) {
  const { query, change } = useAddress()
  return (
    <label class="stacked">
      {label}
      <input
        type="number"
        class="field small"
        min={0}
        max={100}
        step="any"
        value={query[name] ?? ''}
        onChange={(event) => {
          const { value, validity } = event.currentTarget
          if (validity.valid) change({ [name]: value || undefined, ...firstPage })
        }}
      />
    </label>
  )
}

const kinds = ['created', 'completed'] as const

function PeriodFilter() {
  const { query } = useAddress()
  const value = kinds
    .filter((kind) => query[kind])
    .map((kind) => text(`candidates.period.${kind}`, { period: inWords(query[kind]!) }))
    .join(', ')
  return (
    <FilterMenu label={text('candidates.period')} value={value || undefined}>
      {() => (
        <>
          {kinds.map((kind) => (
            <Period key={kind} kind={kind} />
          ))}
          <Clear names={[...kinds]} />
        </>
      )}
    </FilterMenu>
  )
}

function inWords(value: string): string {
  if (isPreset(value)) return text(`candidates.period.${value}`)
  const { from, to } = datesOf(value)
  const words = (date: string) => (date ? day(`${date}T12:00Z`) : '')
  return from === to ? words(from) : `${words(from)} – ${words(to)}`
}

function Period({ kind }: { kind: (typeof kinds)[number] }) {
  const { query, change } = useAddress()
  const value = query[kind]
  const { from, to } = datesOf(value)
  const set = (next: string | undefined) => change({ [kind]: next, ...firstPage })
  const setDates = (from: string, to: string) => set(from || to ? `${from}..${to}` : undefined)
  return (
    <fieldset class="period">
      <legend>{text(`candidates.period.${kind}.label`)}</legend>
      <div class="presets">
        {(Object.keys(presets) as Preset[]).map((preset) => (
          <button
            key={preset}
            type="button"
            class="button small"
            aria-pressed={value === preset}
            onClick={() => set(value === preset ? undefined : preset)}
          >
            {text(`candidates.period.${preset}`)}
          </button>
        ))}
      </div>
      <div class="pair">
        <DateField label={text('candidates.period.from')} value={from} change={(next) => setDates(next, to)} />
        <DateField label={text('candidates.period.to')} value={to} change={(next) => setDates(from, next)} />
      </div>
    </fieldset>
  )
}

function DateField({ label, value, change }: { label: string; value: string; change(value: string): void }) {
  return (
    <label class="stacked">
      {label}
      <input type="date" class="field small" value={value} onChange={(event) => change(event.currentTarget.value)} />
    </label>
  )
}

function Clear({ names }: { names: string[] }) {
  const { query, change } = useAddress()
  if (!names.some((name) => query[name])) return null
  return (
    <button
      type="button"
      class="link-button small"
      onClick={() => change({ ...Object.fromEntries(names.map((name) => [name, undefined])), ...firstPage })}
    >
      {text('candidates.filter.clear')}
    </button>
  )
}

/** Test sessions are in no list unless the person asks for them. */
function TestFilter() {
  const { query, change } = useAddress()
  return (
    <label class="filter">
      <span class="unseen">{text('candidates.test.label')}</span>
      <select
        class="field small"
        value={query.test === 'true' ? 'true' : ''}
        onChange={(event) => change({ test: event.currentTarget.value || undefined, ...firstPage })}
      >
        <option value="">{text('candidates.test.without')}</option>
        <option value="true">{text('candidates.test.only')}</option>
      </select>
    </label>
  )
}

function StatusChips({ summary }: { summary: Summary | undefined }) {
  const { query, change } = useAddress()
  const chosen = statusesOf(query)
  const toggle = (status: Status) => {
    const next = statuses.filter((one) => (one === status) !== chosen.includes(one))
    change({ status: next.length === 0 || next.length === statuses.length ? undefined : next.join(','), ...firstPage })
  }
  return (
    <fieldset class="chips">
      <legend class="unseen">{text('candidates.status')}</legend>
      {statuses.map((status) => {
        const found = summary?.statuses.find((one) => one.status === status)
        return (
          <label key={status} class="chip">
            <input type="checkbox" checked={chosen.includes(status)} onChange={() => toggle(status)} />
            {statusText(status)}
            {summary && <b>{found && !found.exact ? `${number(found.count)}+` : number(found?.count ?? 0)}</b>}
          </label>
        )
      })}
    </fieldset>
  )
}
