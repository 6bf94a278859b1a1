// A change of the state of several candidates. It is loaded when it is opened.

import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Answer } from '../core/api.ts'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { Errors, SelectField, TextField } from '../core/forms.tsx'
import { stateName } from '../core/review_state.ts'
import { BulkDialog, type DialogProps } from './bulk_dialog.tsx'
import { EmailFields, useEmail } from '../decision_email/email.tsx'
import { usePlanned } from './planned.tsx'
import type { Session } from './sessions.ts'
import { useStates } from './state.tsx'

/** SetState puts the selected candidates into a state. A colleague's change since the list was read is a failure. */
export function SetState(props: DialogProps) {
  // The list changes while the action runs.
  const [sessions] = useState(props.sessions)
  const [leftOut] = useState(props.leftOut)
  const states = useStates().filter(({ archived }) => !archived)
  const [stateId, setStateId] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const draft = useDraft('state', () => '')
  const reason = draft.value
  const email = useEmail(sessions, stateId)
  const planned = usePlanned()
  const [first] = sessions
  const check = () => {
    const found: Record<string, string> = stateId ? {} : { '/stateId': text('field.required') }
    setFaults(found)
    return Object.keys({ ...found, ...email.check() }).length === 0
  }
  const act = async (group: Session[]): Promise<Answer<Answer<Session>[]>> => {
    const answer = await ask(
      v1.PUT('/v1/candidate-sessions/review-states', {
        body: {
          stateId,
          rows: group.map(({ id, stateId: from }) => ({ sessionId: id, ...(from && { from }) })),
          ...(isBlank(reason) ? {} : { reason: reason.trim() }),
          ...(stateId === 'new' ? {} : email.body()),
        },
      }),
    )
    if (!answer.ok) return answer
    planned.add(answer.data, email.isOn && stateId !== 'new')
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
      label={text(email.isOn && stateId !== 'new' ? 'candidates.setState.send' : 'candidates.setState')}
      groupSize={100}
      before={check}
      act={act}
      after={planned.note}
      succeeded={(session) => {
        draft.forget()
        email.draft.forget()
        props.changed(session)
      }}
    >
      {draft.isBack && <DraftNote discard={draft.drop} />}
      <Errors.Provider value={faults}>
        <SelectField
          label={text('candidates.state')}
          pointer="/stateId"
          value={stateId}
          change={setStateId}
          options={[
            { value: '', label: text('candidates.setState.choose') },
            ...states.map((state) => ({ value: state.id, label: stateName(state) })),
          ]}
        />
      </Errors.Provider>
      <TextField
        label={text('candidates.setState.reason')}
        hint={text('candidates.setState.hidden')}
        pointer="/reason"
        isOptional
        maxLength={500}
        value={reason}
        change={draft.set}
      />
      {stateId && stateId !== 'new' && first && <EmailFields email={email} first={first} />}
    </BulkDialog>
  )
}
