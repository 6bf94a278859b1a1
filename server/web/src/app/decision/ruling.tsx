// The dialog in which a person decides about a failed gate.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { Form, TextField } from '../core/forms.tsx'
import { me } from '../core/me.ts'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'

type Session = Schemas['CandidateSession']
export type Decision = Schemas['GateRulingCreate']['decision']

interface Props {
  session: Session
  /** The stage whose gate waits. */
  stage: Schemas['ResultStage']
  /** The stage with which the candidate would go on, if there is one and time is left. */
  next: Schemas['ResultStage'] | undefined
  decision: Decision
  done(session: Session): void
  close(): void
}

export function RulingDialog({ session, stage, next, decision, done, close }: Props) {
  const { id, candidateName } = session
  const [reason, setReason] = useState('')
  const isPass = decision === 'PASS'
  const label = text(isPass ? (next ? 'decision.pass' : 'decision.count') : 'decision.stop')
  const send = () =>
    ask(
      v1.POST('/v1/candidate-sessions/{id}/rulings', {
        params: { path: { id } },
        body: { stageId: stage.id, decision, reason: reason.trim() },
      }),
    )
  return (
    <Dialog title={text(isPass ? 'decision.pass.title' : 'decision.stop.title', { name: candidateName })} close={close}>
      <Consequences isPass={isPass} next={next} />
      <Form
        draft={`ruling ${decision}`}
        label={label}
        check={(): Record<string, string> => (isBlank(reason) ? { '/reason': text('field.required') } : {})}
        send={send}
        refused={({ problem }) => {
          // What the screen shows is old.
          if (problem?.code === 'session_not_in_review' || problem?.code === 'answers_not_graded') forget('/v1/')
          return false
        }}
        done={(changed) => {
          forget('/v1/')
          done(changed)
          notify(text(isPass ? 'decision.pass.done' : 'decision.stop.done', { name: candidateName }))
          close()
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      >
        <TextField
          label={text('candidate.extend.reason')}
          hint={text('candidate.grade.hint')}
          pointer="/reason"
          rows={2}
          maxLength={500}
          value={reason}
          change={setReason}
        />
      </Form>
    </Dialog>
  )
}

/** Consequences says what happens next: to the clock, by email, and what the candidate reads. */
function Consequences({ isPass, next }: { isPass: boolean; next: Props['next'] }) {
  const isEmailed = me.value?.organization.emailEnabled
  return (
    <ul class="ruling-next">
      {!isPass && (
        <>
          <li>{text('decision.stop.ends')}</li>
          <li>{text('decision.stop.reads')}</li>
          <li>{text('decision.stop.back')}</li>
        </>
      )}
      {isPass && !next && (
        <>
          <li>{text('decision.count.ends')}</li>
          <li>{text('decision.count.reads')}</li>
        </>
      )}
      {isPass && next && (
        <>
          <li>{rich('decision.pass.next', { stage: next.title })}</li>
          <li>{text('decision.pass.clock')}</li>
          <li>{text(isEmailed ? 'decision.pass.email' : 'decision.pass.noEmail')}</li>
          <li>{text('decision.pass.reads')}</li>
        </>
      )}
    </ul>
  )
}
