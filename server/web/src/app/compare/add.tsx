// Adds a candidate of the same assessment to the comparison.
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { SessionTag } from '../candidate/status.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { score } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { useQuery } from '../core/query.ts'
import { Loaded } from '../core/states.tsx'

type Session = Schemas['CandidateSession']

interface Props {
  /** The candidates of the comparison, who are not offered. */
  ids: string[]
  assessment: string | undefined
  add(id: string): void
  close(): void
}

const shown = 8

export function AddDialog({ ids, assessment, add, close }: Props) {
  const [value, setValue] = useState('')
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(value.trim()), 250)
    return () => clearTimeout(timer)
  }, [value])
  const query = useQuery(`/v1/candidate-sessions compare ${assessment} ${q}`, () =>
    ask(
      v1.GET('/v1/candidate-sessions', {
        params: {
          query: {
            limit: shown + ids.length,
            status: ['COMPLETED', 'DISQUALIFIED'],
            ...(assessment && { assessmentId: assessment }),
            ...(q && { q }),
          },
        },
        querySerializer: { array: { style: 'form', explode: false } },
      }),
    ),
  )
  return (
    <Dialog title={text('compare.add.title')} close={close}>
      <label class="search compare-search">
        <Icon name="search" />
        <span class="unseen">{text('compare.add.search')}</span>
        <input
          type="search"
          class="field small"
          autofocus
          maxLength={200}
          placeholder={text('compare.add.search')}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
      </label>
      <Loaded query={query}>
        {(sessions) => <Found sessions={sessions.filter(({ id }) => !ids.includes(id)).slice(0, shown)} add={add} />}
      </Loaded>
    </Dialog>
  )
}

function Found({ sessions, add }: { sessions: Session[]; add(id: string): void }) {
  if (sessions.length === 0) {
    return (
      <p class="muted" role="status">
        {text('compare.add.nobody')}
      </p>
    )
  }
  return (
    <ul class="compare-found">
      {sessions.map((session) => (
        <li key={session.id}>
          <button type="button" onClick={() => add(session.id)}>
            <span>
              <b translate={false}>{session.candidateName}</b>
              <span class="small muted block">{session.candidateEmail}</span>
            </span>
            <SessionTag {...session} />
            <span class="num">{session.score !== null && score(session.score)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
