// Step 1: what is wrong, why, and whether scores can become lower.
import type { JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Errors, Form, TextField } from '../core/forms.tsx'
import { actionsOf, bodyOf, faultsOf, forgetPreview, maxReason, needsKey, preview, type Draft } from './draft.ts'
import type { QuestionType } from './keys.ts'
import { StepTitle, type StepProps } from './step.tsx'

interface Props extends StepProps {
  edit(draft: Partial<Draft>): void
  done(): void
}

const policies: Draft['policy'][] = ['NEVER_LOWER', 'EXACT']

export function What({ assessment, question, draft, edit, done }: Props) {
  const send = () => {
    forgetPreview()
    return preview(assessment.id, bodyOf(question, draft))
  }
  return (
    <section class="card">
      <StepTitle>{text('correction.step.what')}</StepTitle>
      <Form
        draft={undefined}
        label={text('correction.next')}
        busyLabel={text('correction.examining')}
        check={() => faultsOf(question, draft)}
        send={send}
        done={done}
      >
        <fieldset>
          <legend>{text('correction.action')}</legend>
          {actionsOf(question).map((action) => (
            <Choice
              key={action}
              name="action"
              label={text(`correction.action.${action}`)}
              hint={text(`correction.action.${action}.text`)}
              isChecked={draft.action === action}
              choose={() => edit({ action })}
            />
          ))}
          <GroupError pointers={['/action']} />
        </fieldset>
        {needsKey(draft.action) && <Key {...{ assessment, question, draft, edit }} />}
        <TextField
          label={text('correction.reason')}
          hint={text('correction.reason.hint')}
          pointer="/reason"
          rows={2}
          maxLength={maxReason}
          value={draft.reason}
          change={(reason) => edit({ reason })}
        />
        <fieldset>
          <legend>{text('correction.policy')}</legend>
          {policies.map((policy) => (
            <Choice
              key={policy}
              name="policy"
              label={text(`correction.policy.${policy}`)}
              hint={text(`correction.policy.${policy}.text`)}
              isChecked={draft.policy === policy}
              choose={() => edit({ policy })}
            />
          ))}
        </fieldset>
      </Form>
    </section>
  )
}

interface ChoiceProps {
  name: string
  label: string
  hint?: string
  isChecked: boolean
  choose(): void
}

function Choice({ name, label, hint, isChecked, choose }: ChoiceProps) {
  return (
    <label class="tick">
      <input type="radio" name={name} checked={isChecked} onChange={choose} />
      <span>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </label>
  )
}

interface KeyProps extends Omit<Props, 'done'> {
  label: string
}

const keyFields: Record<QuestionType, ((props: KeyProps) => JSX.Element) | undefined> = {
  SINGLE_CHOICE: Options,
  MULTIPLE_CHOICE: Options,
  NUMERIC: NumberKey,
  SHORT_TEXT: TextsKey,
  FREE_TEXT: undefined,
}

/** Key is the field for a key of the question's type. */
function Key(props: Omit<Props, 'done'>) {
  const KeyField = keyFields[props.question.type as QuestionType]
  if (!KeyField) return null
  return <KeyField {...props} label={text(`correction.key.${props.draft.action as 'ACCEPT_ALSO' | 'REPLACE_KEY'}`)} />
}

function NumberKey({ draft, edit, label }: KeyProps) {
  return (
    <div class="columns">
      <TextField label={label} pointer="/key/answer" value={draft.number} change={(number) => edit({ number })} />
      <TextField
        label={text('correction.key.tolerance')}
        placeholder="0"
        pointer="/key/tolerance"
        isOptional
        value={draft.tolerance}
        change={(tolerance) => edit({ tolerance })}
      />
    </div>
  )
}

function TextsKey({ draft, edit, label }: KeyProps) {
  return (
    <TextField
      label={label}
      hint={text('correction.key.texts.hint')}
      pointer="/key/acceptedAnswers"
      rows={2}
      value={draft.texts}
      change={(texts) => edit({ texts })}
    />
  )
}

/** Options has one choice, or several for a question with several correct options. */
function Options({ question, draft, edit, label }: KeyProps) {
  const isMany = question.type === 'MULTIPLE_CHOICE'
  const choose = (id: string, isChosen: boolean) =>
    edit({ options: isMany ? [...draft.options.filter((one) => one !== id), ...(isChosen ? [id] : [])] : [id] })
  return (
    <fieldset>
      <legend>{label}</legend>
      {isMany && <p class="hint">{text('correction.key.options.hint')}</p>}
      {(question.options ?? []).map((option) => (
        <label key={option.id} class="tick">
          <input
            type={isMany ? 'checkbox' : 'radio'}
            name="option"
            checked={draft.options.includes(option.id)}
            onChange={(event) => choose(option.id, event.currentTarget.checked)}
          />
          <span>
            <bdi>{option.text}</bdi>
          </span>
        </label>
      ))}
      <GroupError pointers={['/key/options', '/key/correctOptionId', '/key/correctOptionIds']} />
    </fieldset>
  )
}

/** GroupError shows the error of a group of controls, which has one of the pointers. */
function GroupError({ pointers }: { pointers: string[] }) {
  const errors = useContext(Errors)
  const error = pointers.map((pointer) => errors[pointer]).find(Boolean)
  return error ? (
    <p class="error" role="alert">
      {error}
    </p>
  ) : null
}
