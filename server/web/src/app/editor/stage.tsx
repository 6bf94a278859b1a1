// The stage that is shown: its own fields, and its questions.
import { text, type Key } from '../../shared/i18n.tsx'
import { duration } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { Empty } from '../core/states.tsx'
import { IncludedForm, Pools } from '../pools/lazy.ts'
import { addPool, addQuestion } from './actions.ts'
import { Card } from './card.tsx'
import { faultTextsAt } from './fault_texts.ts'
import { keepInPlace } from './focus.ts'
import { gateText } from './gate.ts'
import { QuestionForm, StageForm } from './lazy.ts'
import { ownQuestions, questionCount, stagePoints, type Question, type Stage } from './model.ts'
import { Markdown } from './preview.tsx'
import { renderedAt } from './rendered.ts'
import type { Editor } from './state.ts'
import { Tool } from './tool.tsx'

interface Props {
  editor: Editor
  stage: Stage
  position: number
  /** The keys of the questions and the stages that have faults. */
  faulty: ReadonlySet<string>
  /** Opens the dialog for questions that are pasted, or taken from the bank. */
  add(dialog: 'paste' | 'bank'): void
}

export function StageView({ editor, stage, position, faulty, add }: Props) {
  const active = editor.active.value
  const rendered = editor.rendered.value
  const { key, pools } = stage
  const questions = ownQuestions(stage)
  const isEmpty = questions.length + pools.length === 0
  return (
    <div class="editor-stage">
      {active === key && !editor.isReadOnly ? (
        <StageForm editor={editor} stage={stage} position={position} />
      ) : (
        <StageHead editor={editor} stage={stage} position={position} />
      )}
      {isEmpty && <NoQuestions editor={editor} stage={stage} add={add} />}
      <ol class="editor-questions">
        {questions.map((question, index) => (
          <li key={question.key} class={question.key === active ? undefined : 'lazy'}>
            {question.key === active && !editor.isReadOnly ? (
              <FormOf editor={editor} question={question} position={index + 1} />
            ) : (
              <Card
                editor={editor}
                question={question}
                position={index + 1}
                isFaulty={faulty.has(question.key)}
                rendered={rendered.get(`/q/${question.key}`)}
              />
            )}
          </li>
        ))}
      </ol>
      {pools.length > 0 && <Pools editor={editor} stage={stage} />}
      {!editor.isReadOnly && !isEmpty && <AddButtons editor={editor} stage={stage} add={add} />}
    </div>
  )
}

function FormOf(props: { editor: Editor; question: Question; position: number }) {
  return props.question.bankQuestionId ? <IncludedForm {...props} /> : <QuestionForm {...props} />
}

type AddProps = Pick<Props, 'editor' | 'stage' | 'add'>

function AddButtons({ editor, stage, add }: AddProps) {
  const button = (label: Key, act: () => void) => (
    <button type="button" class="button small" onClick={act}>
      {text(label)}
    </button>
  )
  return (
    <p class="editor-add">
      <button
        type="button"
        class="button small"
        data-place={`/s/${stage.key}/add`}
        onClick={() => addQuestion(editor, stage.key)}
      >
        <Icon name="plus" />
        {text('editor.question.add')}
      </button>
      {button('editor.paste', () => add('paste'))}
      {button('editor.bank.add', () => add('bank'))}
      {button('editor.pool.add', () => addPool(editor, stage))}
    </p>
  )
}

function NoQuestions({ editor, stage, add }: AddProps) {
  if (editor.isReadOnly) return <p class="muted">{text('editor.stage.empty')}</p>
  return (
    <Empty
      title={text('editor.stage.empty')}
      action={<AddButtons editor={editor} stage={stage} add={add} />}
    >
      {text('editor.stage.empty.text')}
    </Empty>
  )
}

/** What the gate and the time limit mean, in words. */
function rulesOf({ gate, timeLimitMinutes }: Stage): string {
  const rules = []
  if (timeLimitMinutes !== null) rules.push(text('editor.stage.limitIs', { limit: duration(timeLimitMinutes * 60) }))
  if (gate) rules.push(gateText(gate))
  return rules.join(' · ')
}

function StageHead({ editor, stage, position }: { editor: Editor; stage: Stage; position: number }) {
  const { key, title, description } = stage
  const rules = rulesOf(stage)
  const place = `/s/${key}/description`
  return (
    <header class="editor-stage-head" data-key={key}>
      <div>
        <p class="muted small">
          {text('editor.stage.number', { number: position })} ·{' '}
          {text('editor.questions.count', { count: questionCount([stage]) })} ·{' '}
          {text('editor.points.count', { count: stagePoints([stage]) })}
        </p>
        <h2>{title.trim() || <em class="muted">{text('editor.stage.noTitle')}</em>}</h2>
        {description && (
          <div class="muted">
            <Markdown rendered={renderedAt(editor.rendered.value, place)} source={description} />
          </div>
        )}
        {rules && <p class="editor-rules small">{rules}</p>}
        <FaultLine editor={editor} stage={stage} />
      </div>
      {!editor.isReadOnly && (
        <Tool
          icon="edit"
          place={`/s/${key}/card`}
          label={text('editor.stage.edit', { number: position })}
          act={() => keepInPlace(key, () => editor.show(`/s/${key}/title`))}
        />
      )}
    </header>
  )
}

/** Faults of a stage that have no field: it has no questions, or no title while the form is closed. */
function FaultLine({ editor, stage }: { editor: Editor; stage: Stage }) {
  const at = (field: string) => faultTextsAt(editor, `/s/${stage.key}/${field}`)
  const found = [at('title'), at('questions'), at('gate')].filter(Boolean)
  if (found.length === 0) return null
  return <p class="error">{found.join(' ')}</p>
}
