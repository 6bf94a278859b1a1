// The candidates who cross the passing score or a gate because of a correction.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { useQuery } from '../core/query.ts'
import { to } from '../core/url.ts'
import type { Effect } from './draft.ts'

const kinds = ['nowPass', 'noLongerPass', 'gatePasses', 'gateFails'] as const
type Kind = (typeof kinds)[number]

/** Each name is a request, so a group shows a few first. */
const shownFirst = 5
const shownMore = 20

export function Crossings({ effect, hasPassingScore }: { effect: Effect; hasPassingScore: boolean }) {
  const some = kinds.filter((kind) => effect[kind].count > 0)
  if (some.length === 0) {
    return <p class="muted">{text(hasPassingScore ? 'correction.crossing.none' : 'correction.crossing.noGate')}</p>
  }
  return (
    <div class="correction-crossings">
      {some.map((kind) => (
        <Crossing key={kind} kind={kind} crossing={effect[kind]} />
      ))}
    </div>
  )
}

export function Crossing({ kind, crossing }: { kind: Kind; crossing: Effect[Kind] }) {
  const { count, sessionIds } = crossing
  const [shown, setShown] = useState(shownFirst)
  const isMore = sessionIds.length > shown
  return (
    <section>
      <h3>{text(`correction.${kind}`, { count })}</h3>
      {hasExplanation(kind) && <p class="small muted">{text(`correction.${kind}.text`)}</p>}
      <ul>
        {sessionIds.slice(0, shown).map((id) => (
          <li key={id}>
            <Candidate id={id} />
          </li>
        ))}
      </ul>
      {isMore && (
        <button type="button" class="button small" onClick={() => setShown(shown + shownMore)}>
          {text('correction.crossing.more')}
        </button>
      )}
      {!isMore && count > sessionIds.length && (
        <p class="small muted">{text('correction.crossing.first', { count: sessionIds.length })}</p>
      )}
    </section>
  )
}

const hasExplanation = (kind: Kind): kind is 'gatePasses' | 'gateFails' => kind === 'gatePasses' || kind === 'gateFails'

function Candidate({ id }: { id: string }) {
  const query = useQuery(`/v1/candidate-sessions/${id}`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}', { params: { path: { id } } })),
  )
  return (
    <a href={to(`/candidates/${id}`)} translate={false}>
      {query.data?.candidateName ?? id}
    </a>
  )
}
