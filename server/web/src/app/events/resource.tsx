// The filter for the events of one candidate or assessment. People search by name; the address has the id.
import { useEffect, useState } from 'preact/hooks'
import { text, Verbatim } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { firstPage } from '../core/filters.tsx'
import { Icon } from '../core/icons.tsx'
import { useQuery } from '../core/query.ts'
import { useAddress } from '../core/url.ts'

const isId = (value: string) => /^(ses|asm)_\w+$/.test(value)

export function ResourceFilter() {
  const { query, change } = useAddress()
  const { resource } = query
  const choose = (id: string | undefined) => change({ resource: id, ...firstPage })
  if (resource) return <Chosen id={resource} clear={() => choose(undefined)} />
  return <Find choose={choose} />
}

/** Find offers the candidates whose name or email address contains the text. */
function Find({ choose }: { choose(id: string): void }) {
  const [value, setValue] = useState('')
  const [sought, setSought] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSought(value.trim()), 250)
    return () => clearTimeout(timer)
  }, [value])
  useEffect(() => {
    if (isId(sought)) choose(sought)
  }, [sought])
  const isName = sought.length >= 2 && !isId(sought)
  const found = useQuery(isName ? `/v1/candidate-sessions?q=${sought}` : undefined, () =>
    ask(v1.GET('/v1/candidate-sessions', { params: { query: { q: sought, limit: 6 } } })),
  )
  const rows = isName && !found.isStale ? found.data : undefined
  return (
    <div class="search events-find">
      <Icon name="search" />
      <label>
        <span class="unseen">{text('events.filter.resource')}</span>
        <input
          type="search"
          class="field small"
          data-search
          placeholder={text('events.filter.resource')}
          maxLength={200}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
      </label>
      {rows && (
        <div class="menu events-found" role="group" aria-label={text('events.found')}>
          {rows.length === 0 && (
            <p class="muted small" role="status">
              {text('events.found.none')}
            </p>
          )}
          {rows.map((session) => (
            <button key={session.id} type="button" onClick={() => choose(session.id)}>
              <span>
                <Verbatim>{session.candidateName}</Verbatim> <span class="muted small">{session.assessmentTitle}</span>
              </span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function Chosen({ id, clear }: { id: string; clear(): void }) {
  const session = useQuery(id.startsWith('ses_') ? `/v1/candidate-sessions/${id}` : undefined, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}', { params: { path: { id } } })),
  )
  const assessment = useQuery(id.startsWith('asm_') ? `/v1/assessments/${id}` : undefined, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id } } })),
  )
  const name = session.data?.candidateName ?? assessment.data?.title ?? id
  return (
    <button type="button" class="button small events-chosen" aria-label={text('events.filter.remove', { name })} onClick={clear}>
      {text('events.filter.about', { name })}
      <Icon name="close" />
    </button>
  )
}
