// The states that the organization gives to candidates, in the list: their names, and a change for several candidates.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { SelectField, TextField } from '../core/forms.tsx'
import { useQuery } from '../core/query.ts'
import { stateName } from '../core/review_state.ts'
import { BulkDialog } from './bulk_dialog.tsx'
import type { DialogProps } from './selection.tsx'
import type { Session } from './sessions.ts'

export function useStates(): Schemas['ReviewState'][] {
  return useQuery('/v1/review-states', () => ask(v1.GET('/v1/review-states'))).data?.states ?? []
}

/** StateTag is the name of a state. That of a candidate whom nobody has put into one is not worth a tag. */
export function StateTag({ id }: { id: string | null }) {
  const state = useStates().find((one) => one.id === id)
  if (!state || id === 'new') return null
  return (
    <span class="tag" translate={false}>
      {stateName(state)}
    </span>
  )
}

/** SetState puts the selected candidates into a state. A colleague's change since the list was read is a failure. */
export function SetState(props: DialogProps) {
  // The list changes while the action runs.
  const [sessions] = useState(props.sessions)
  const [leftOut] = useState(props.leftOut)
  const states = useStates().filter(({ archived }) => !archived)
  const [chosen, setChosen] = useState<string>()
  const draft = useDraft('state', () => '')
  const reason = draft.value
  const stateId = chosen ?? states.find(({ id }) => id !== 'new')?.id ?? 'new'
  const act = async (group: Session[]): Promise<Answer<Answer<Session>[]>> => {
    const answer = await ask(
      v1.PUT('/v1/candidate-sessions/review-states', {
        body: {
          stateId,
          rows: group.map(({ id, stateId: from }) => ({ sessionId: id, ...(from && { from }) })),
          ...(isBlank(reason) ? {} : { reason: reason.trim() }),
        },
      }),
    )
    if (!answer.ok) return answer
    const { response } = answer
    const outcomes = answer.data.rows.map(({ index, error }): Answer<Session> => {
      if (error) return { ok: false, fault: { status: response.status, problem: error } }
      return { ok: true, data: { ...group[index]!, stateId }, response }
    })
    return { ...answer, data: outcomes }
  }
  return (
    <BulkDialog
      {...props}
      sessions={sessions}
      leftOut={leftOut}
      title={text('candidates.setState.title', { count: sessions.length })}
      label={text('candidates.setState')}
      groupSize={100}
      act={act}
      succeeded={(session) => {
        draft.forget()
        props.changed(session)
      }}
    >
      {draft.isBack && <DraftNote discard={draft.drop} />}
      <SelectField
        label={text('candidates.state')}
        pointer="/stateId"
        value={stateId}
        change={setChosen}
        options={states.map((state) => ({ value: state.id, label: stateName(state) }))}
      />
      <TextField
        label={text('candidates.setState.reason')}
        hint={text('candidates.setState.hidden')}
        pointer="/reason"
        isOptional
        maxLength={500}
        value={reason}
        change={draft.set}
      />
    </BulkDialog>
  )
}
