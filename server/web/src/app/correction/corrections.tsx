// The corrections of an assessment: what, when, by whom, why, and how far they are.
import { useState } from 'preact/hooks'
import { text, Verbatim } from '../../shared/i18n.tsx'
import { AssessmentPage, type AssessmentDetail } from '../assessment/head.tsx'
import { ask, v1 } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { When } from '../core/formats.tsx'
import { Form, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { forget } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { maxReason } from './draft.ts'
import { Progress, useCorrections } from './progress.tsx'
import { correctionWords, type Correction } from './words.ts'

export default function Screen({ params }: { params: Record<string, string> }) {
  return (
    <AssessmentPage id={params.id!} tab="corrections">
      {(assessment) => <List assessment={assessment} />}
    </AssessmentPage>
  )
}

function List({ assessment }: { assessment: AssessmentDetail }) {
  const { query } = useCorrections(assessment.id)
  const [withdrawn, setWithdrawn] = useState<Correction>()
  return (
    <Loaded query={query}>
      {(corrections) =>
        corrections.length === 0 ? (
          <Empty
            icon="check"
            title={text('correction.empty')}
            action={
              <a class="button" href={to(`/assessments/${assessment.id}/questions`)}>
                {text('correction.choose')}
              </a>
            }
          >
            <p>{text('correction.empty.text')}</p>
          </Empty>
        ) : (
          <>
            <p class="lead-in">{text('correction.list.text')}</p>
            <ol class="correction-list">
              {corrections.map((correction) => (
                <Item
                  key={correction.id}
                  {...{ assessment, correction, corrections }}
                  withdraw={() => setWithdrawn(correction)}
                />
              ))}
            </ol>
            {withdrawn && (
              <Withdraw
                assessment={assessment}
                correction={withdrawn}
                done={query.reload}
                close={() => setWithdrawn(undefined)}
              />
            )}
          </>
        )
      }
    </Loaded>
  )
}

const questionOf = (assessment: AssessmentDetail, id: string) =>
  assessment.stages.flatMap(({ questions }) => questions).find((question) => question.id === id)

interface ItemProps {
  assessment: AssessmentDetail
  correction: Correction
  corrections: Correction[]
  withdraw(): void
}

function Item({ assessment, correction, corrections, withdraw }: ItemProps) {
  const { questionId, createdAt, createdBy, reason, policy, withdraws, withdrawnBy } = correction
  const question = questionOf(assessment, questionId)
  const of = corrections.find(({ id }) => id === withdraws)
  return (
    <li class={withdrawnBy ? 'card correction-withdrawn' : 'card'}>
      <div class="question-head">
        <h2>
          {of
            ? text('correction.withdrew', { what: correctionWords(question, of) })
            : correctionWords(question, correction)}
        </h2>
        {withdrawnBy && <span class="tag">{text('correction.withdrawn')}</span>}
      </div>
      {question && <p class="small muted correction-prompt">{question.prompt}</p>}
      <p class="small">
        <When at={createdAt} /> · <Verbatim>{createdBy.name ?? text('correction.unknown')}</Verbatim>
        {!withdraws && policy === 'EXACT' && <> · {text('correction.policy.EXACT')}</>}
      </p>
      <p>{text('correction.because', { reason })}</p>
      <Progress correction={correction} />
      {!withdraws && !withdrawnBy && (
        <Action isSmall reason={needs('EDITOR')} act={withdraw}>
          {text('correction.withdraw.ask')}
        </Action>
      )}
    </li>
  )
}

interface WithdrawProps {
  assessment: AssessmentDetail
  correction: Correction
  done(): void
  close(): void
}

function Withdraw({ assessment, correction, done, close }: WithdrawProps) {
  const [reason, setReason] = useState('')
  const question = questionOf(assessment, correction.questionId)
  const send = () =>
    ask(
      v1.POST('/v1/assessments/{id}/corrections/{correctionId}/withdraw', {
        params: { path: { id: assessment.id, correctionId: correction.id } },
        body: { reason: reason.trim() },
      }),
    )
  return (
    <Dialog title={text('correction.withdraw.title')} close={close}>
      <p>{correctionWords(question, correction)}</p>
      <p>{text('correction.withdraw.text')}</p>
      <Form
        draft={`withdraw ${correction.id}`}
        label={text('correction.withdraw')}
        check={(): Record<string, string> =>
          reason.trim() === '' ? { '/reason': text('correction.reason.missing') } : {}
        }
        send={send}
        done={() => {
          forget(`/v1/assessments/${assessment.id}/`)
          notify(text('correction.withdraw.done'))
          done()
          close()
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      >
        <TextField
          label={text('correction.reason')}
          pointer="/reason"
          rows={2}
          maxLength={maxReason}
          value={reason}
          change={setReason}
        />
      </Form>
    </Dialog>
  )
}
