// How long data of candidates are kept, of the organization or of one assessment.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { Form, SelectField, TextField } from '../core/forms.tsx'
import { When } from '../core/formats.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { forget, useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { FaultNote, Loaded, messageOf } from '../core/states.tsx'
import { changeOf, enteredOf, faultsOf, kindsOf, type Entered } from './entered.ts'
import { Counted, SaveQuestion, type Preview } from './preview.tsx'
import { StateRows } from './state_rows.tsx'

type Retention_ = Schemas['Retention']

/** Retention is the retention of the organization, or that of an assessment. */
export function Retention({ assessmentId }: { assessmentId?: string }) {
  const organization = useQuery('/v1/retention', () => ask(v1.GET('/v1/retention')))
  const own = useQuery(assessmentId && `/v1/assessments/${assessmentId}/retention`, () =>
    ask(v1.GET('/v1/assessments/{id}/retention', { params: { path: { id: assessmentId! } } })),
  )
  const states = useQuery('/v1/review-states', () => ask(v1.GET('/v1/review-states')))
  const query = assessmentId ? own : organization
  if (states.fault) return <FaultNote fault={states.fault} retry={states.reload} />
  if (assessmentId && organization.fault) return <FaultNote fault={organization.fault} retry={organization.reload} />
  return (
    <Loaded query={query}>
      {(retention) =>
        states.data &&
        organization.data && (
          <Editor
            key={`${retention.inherited} ${retention.updatedAt}`}
            retention={retention}
            organization={organization.data}
            assessmentId={assessmentId}
            states={states.data.states}
            changed={() => {
              forget('/v1/retention')
              query.reload()
            }}
          />
        )
      }
    </Loaded>
  )
}

interface EditorProps {
  retention: Retention_
  organization: Retention_
  assessmentId: string | undefined
  states: Schemas['ReviewState'][]
  changed(): void
}

function Editor({ retention, organization, assessmentId, states, changed }: EditorProps) {
  const reason = needs('OWNER')
  // The rows are kept as a whole, because their number can change.
  const draft = useDraft<Entered>(`retention ${assessmentId} ${retention.updatedAt}`, () =>
    enteredOf(retention, assessmentId),
  )
  const { value: entered } = draft
  const change = (changes: Partial<Entered>) => draft.set({ ...entered, ...changes })
  const [shown, show] = useState<Preview>()
  const [question, setQuestion] = useState<Preview>()
  const body = () => changeOf(entered, organization)
  const preview = () =>
    ask(v1.POST('/v1/retention/preview', { body: { ...body(), ...(assessmentId && { assessmentId }) } }))
  const look = async () => {
    const answer = await preview()
    if (answer.ok) show(answer.data)
    else notify(messageOf(answer.fault))
  }
  const save = async () => {
    const params = { path: { id: assessmentId ?? '' } }
    const answer = !assessmentId
      ? await ask(v1.PUT('/v1/retention', { body: body() }))
      : entered.kind === 'INHERITED'
        ? await ask(v1.DELETE('/v1/assessments/{id}/retention', { params }))
        : await ask(v1.PUT('/v1/assessments/{id}/retention', { params, body: body() }))
    if (!answer.ok) return answer.fault
    draft.drop()
    changed()
    notify(text('protection.retention.saved'))
    return undefined
  }
  const isWrong = () => Object.keys(faultsOf(entered)).length > 0
  return (
    <>
      <InEffect retention={retention} />
      <Form
        draft={undefined}
        label={text('protection.retention.save')}
        reason={reason}
        check={() => faultsOf(entered)}
        send={preview}
        done={setQuestion}
        actions={
          <Action act={() => void look()} reason={isWrong() ? text('protection.retention.wrong') : undefined}>
            {text('protection.preview.show')}
          </Action>
        }
      >
        {draft.isBack && <DraftNote discard={draft.drop} />}
        <fieldset disabled={reason !== undefined}>
          <SelectField
            label={text('protection.retention.kind')}
            pointer="/kind"
            value={entered.kind}
            change={(kind) => change({ kind: kind as Entered['kind'] })}
            options={kindsOf(assessmentId).map((value) => ({ value, label: nameOf(value, organization) }))}
          />
          {entered.kind === 'LIMITED' && <Times entered={entered} change={change} states={states} />}
        </fieldset>
      </Form>
      <div role="status">{shown && <Counted preview={shown} />}</div>
      {question && <SaveQuestion preview={question} act={save} close={() => setQuestion(undefined)} />}
    </>
  )
}

/** InEffect says from when the saved retention erases. */
function InEffect({ retention: { months, appliesFrom } }: { retention: Retention_ }) {
  if (months === null || appliesFrom === null) return null
  const elements = { when: <When at={appliesFrom} /> }
  return (
    <div class="note settings-note">
      <p>
        {Date.parse(appliesFrom) > Date.now()
          ? rich('protection.retention.from', elements)
          : rich('protection.retention.since', elements)}
      </p>
    </div>
  )
}

function nameOf(kind: Entered['kind'], { months }: Retention_): string {
  if (kind === 'LIMITED') return text('protection.retention.LIMITED')
  if (kind === 'UNLIMITED') return text('protection.retention.UNLIMITED')
  if (months === null) return text('protection.retention.inheritedUnlimited')
  return text('protection.retention.inherited', { count: months })
}

interface TimesProps {
  entered: Entered
  change(changes: Partial<Entered>): void
  states: Schemas['ReviewState'][]
}

function Times({ entered, change, states }: TimesProps) {
  return (
    <>
      <TextField
        label={text('protection.retention.months')}
        hint={text('protection.retention.months.hint')}
        pointer="/months"
        type="number"
        value={entered.months}
        change={(months) => change({ months })}
      />
      <TextField
        label={text('protection.retention.notStarted')}
        hint={text('protection.retention.notStarted.hint')}
        pointer="/notStartedMonths"
        type="number"
        isOptional
        value={entered.notStarted}
        change={(notStarted) => change({ notStarted })}
      />
      <StateRows
        rows={entered.states}
        states={states}
        reason={needs('OWNER')}
        change={(rows) => change({ states: rows })}
      />
    </>
  )
}
