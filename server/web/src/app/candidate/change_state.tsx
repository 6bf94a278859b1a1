// The form that puts a candidate into another state. It is loaded when a person chooses a state.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { DraftNote } from '../core/draft.tsx'
import type { useDraft } from '../core/drafts.ts'
import { Form, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import type { Query } from '../core/query.ts'
import { stateName } from '../core/review_state.ts'
import { FaultNote } from '../core/states.tsx'
import { EmailFields, useEmail } from '../decision_email/email.tsx'
import { SetBy } from './set_by.tsx'

export interface StateProps {
  review: Schemas['Review']
  session: Schemas['CandidateSession']
  query: Query<Schemas['Review']>
  changed(review: Schemas['Review']): void
  reload(): void
}

/** The state that a person has chosen, before it is saved. */
export interface Change {
  other?: string | undefined
  reason: string
}

interface Props extends Omit<StateProps, 'reload'> {
  draft: ReturnType<typeof useDraft<Change>>
  stateId: string
}

export function ChangeState({ review, session, draft, stateId, query, changed }: Props) {
  const { other, reason } = draft.value
  const email = useEmail([session], stateId)
  const [outdated, setOutdated] = useState<Fault>()
  const [last] = review.changes
  const send = () =>
    ask(
      v1.PUT('/v1/candidate-sessions/{id}/review/state', {
        params: { path: { id: session.id } },
        body: {
          stateId,
          from: review.state.id,
          ...(isBlank(reason) ? {} : { reason: reason.trim() }),
          ...(stateId === 'new' ? {} : email.body()),
        },
      }),
    )
  return (
    <Form
      draft={undefined}
      label={text(email.isOn && stateId !== 'new' ? 'candidate.review.send' : 'candidate.review.change')}
      check={email.check}
      send={send}
      done={(next) => {
        draft.drop()
        email.draft.forget()
        changed(next)
        notify(text('candidate.review.changed', { state: stateName(next.state) }))
      }}
      refused={(fault) => {
        if (fault.problem?.code !== 'state_changed') return false
        setOutdated(fault)
        query.reload()
        return true
      }}
      actions={
        <button type="button" class="button" onClick={draft.drop}>
          {text('dialog.cancel')}
        </button>
      }
    >
      {draft.isBack && <DraftNote discard={draft.drop} />}
      {outdated && <FaultNote fault={outdated} />}
      {outdated && last && <SetBy change={last} />}
      <TextField
        label={text('candidate.review.reason')}
        pointer="/reason"
        isOptional
        maxLength={500}
        value={reason}
        change={(value) => draft.set({ other, reason: value })}
      />
      {stateId !== 'new' && <EmailFields email={email} first={session} />}
    </Form>
  )
}
