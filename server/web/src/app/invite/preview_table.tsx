// The rows of the preview, 50 on a page.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { to } from '../core/url.ts'
import { useMaxWidth } from '../candidates/media.ts'
import type { Candidate } from './candidates.ts'
import type { Checked } from './check.ts'
import { fields, type FieldName } from './columns.ts'
import { historyText, LatestState, whyNotAgain } from './history.tsx'

const pageSize = 50

type Changes = Pick<Checked, 'change' | 'remove' | 'choose'>

interface Props extends Changes {
  assessmentId: string
  candidates: Candidate[]
}

export function PreviewTable({ assessmentId, candidates, change, remove, choose }: Props) {
  const [wanted, setPage] = useState(0)
  const pages = Math.max(1, Math.ceil(candidates.length / pageSize))
  const page = Math.min(wanted, pages - 1)
  const shown = candidates.slice(page * pageSize, (page + 1) * pageSize)
  // A narrow window has no room for columns.
  const isNarrow = useMaxWidth(700)
  const used = fields.filter(
    (field) => field === 'name' || field === 'email' || candidates.some(({ values, faults }) => values[field] || faults[field]),
  )
  return (
    <>
      <div class="table-box" tabIndex={0} role="region" aria-label={text('invite.preview')}>
        <table>
          <caption class="unseen">{text('invite.preview')}</caption>
          <thead>
            <tr>
              <th class="num">{text('invite.row')}</th>
              {(isNarrow ? used.slice(0, 1) : used).map((field) => (
                <th key={field}>{text(`invite.column.${field}`)}</th>
              ))}
              {!isNarrow && <th>{text('invite.outcome')}</th>}
              <th>
                <span class="unseen">{text('invite.remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((candidate) => (
              <PreviewRow key={candidate.id} {...{ assessmentId, candidate, used, isNarrow, change, remove, choose }} />
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <nav class="pager" aria-label={text('pager.label')}>
          <span class="muted small">{text('invite.page', { page: page + 1, pages })}</span>
          <span class="grow" />
          <button type="button" class="button small" aria-disabled={page === 0} onClick={() => setPage(Math.max(0, page - 1))}>
            {text('pager.previous')}
          </button>
          <button type="button" class="button small" aria-disabled={page === pages - 1} onClick={() => setPage(Math.min(pages - 1, page + 1))}>
            {text('pager.next')}
          </button>
        </nav>
      )}
    </>
  )
}

type RowProps = Changes & { assessmentId: string; candidate: Candidate; used: FieldName[]; isNarrow: boolean }

function PreviewRow({ assessmentId, candidate, used, isNarrow, change, remove, choose }: RowProps) {
  const { id, line, values, isOpen } = candidate
  const state = (
    <>
      <StateText candidate={candidate} />
      {candidate.history && <Before {...{ assessmentId, candidate, choose }} />}
    </>
  )
  const valueOf = (field: FieldName) => <Value {...{ candidate, field, change }} />
  return (
    <tr data-state={candidate.state}>
      <td class="num muted">{line}</td>
      {isNarrow ? (
        <td>
          {used
            .filter((field) => isOpen || values[field])
            .map((field) => (
              <div key={field}>
                {(isOpen || (field !== 'name' && field !== 'email')) && (
                  <span class="small muted">{text(`invite.column.${field}`)}</span>
                )}
                {valueOf(field)}
              </div>
            ))}
          {state}
        </td>
      ) : (
        <>
          {used.map((field) => (
            <td key={field}>{valueOf(field)}</td>
          ))}
          <td>{state}</td>
        </>
      )}
      <td class="select">
        <button type="button" class="icon-button" aria-label={text('invite.remove.row', { line })} onClick={() => remove([id])}>
          <Icon name="trash" />
        </button>
      </td>
    </tr>
  )
}

type ValueProps = { candidate: Candidate; field: FieldName; change: Checked['change'] }

function Value({ candidate, field, change }: ValueProps) {
  const { id, values, faults, isOpen } = candidate
  if (!isOpen) return <span translate={false}>{values[field]}</span>
  return (
    <>
      <Cell candidate={candidate} field={field} change={change} />
      {faults[field] && (
        <span id={`fault-${id}-${field}`} class="error">
          {faults[field]}
        </span>
      )}
    </>
  )
}

function Cell({ candidate: { id, line, values, faults }, field, change }: ValueProps) {
  return (
    <input
      class="field small"
      aria-label={text('invite.cell', { field: text(`invite.column.${field}`), line })}
      aria-invalid={faults[field] !== undefined}
      aria-describedby={faults[field] ? `fault-${id}-${field}` : undefined}
      maxLength={300}
      value={values[field]}
      onInput={(event) => change(id, field, event.currentTarget.value)}
    />
  )
}

/** Before is what the person has done, and the choice to invite the person again. */
function Before({ assessmentId, candidate, choose }: Pick<RowProps, 'assessmentId' | 'candidate' | 'choose'>) {
  const { id, line, state, history, isChosen } = candidate
  const reason = whyNotAgain(history!)
  return (
    <>
      <span class="small invite-did">{historyText(history!, assessmentId)}</span>
      <LatestState history={history!} />
      {state === 'BEFORE' && (
        <a class="small" href={to(`/candidates/${history!.latest!.sessionId}`)} target="_blank" rel="noopener">
          {text('invite.state.EXISTING.show')}
        </a>
      )}
      {state === 'BEFORE' && reason && <span class="small muted invite-did">{reason}</span>}
      {state === 'BEFORE' && !reason && (
        <label class="invite-again small">
          <input
            type="checkbox"
            checked={isChosen === true}
            aria-label={text('invite.before.again.row', { line })}
            onChange={(event) => choose([id], event.currentTarget.checked)}
          />
          {text('invite.before.again')}
        </label>
      )}
    </>
  )
}

function StateText({ candidate: { state, faults, sameAs, session } }: { candidate: Candidate }) {
  if (state === 'CHECKING') return <span class="muted">{text('invite.state.CHECKING')}</span>
  if (state === 'BEFORE') return <span class="tag">{text('invite.state.BEFORE')}</span>
  if (state === 'READY') return <span class="tag good">{text('invite.state.READY')}</span>
  if (state === 'DUPLICATE') {
    return (
      <>
        <span class="tag">{text('invite.state.DUPLICATE')}</span>
        <span class="small muted">{text('invite.state.DUPLICATE.of', { line: sameAs ?? 0 })}</span>
      </>
    )
  }
  if (state === 'EXISTING') {
    return (
      <>
        <span class="tag">{text('invite.state.EXISTING')}</span>
        {session && (
          <a class="small" href={to(`/candidates/${session.id}`)} target="_blank" rel="noopener">
            {text('invite.state.EXISTING.show')}
          </a>
        )}
      </>
    )
  }
  return (
    <>
      <span class="tag bad">{text('invite.state.FAULTY')}</span>
      {faults.row && <span class="small">{faults.row}</span>}
    </>
  )
}
