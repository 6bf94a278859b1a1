// The stage that is shown: its own fields, and its questions.
import { text } from '../../shared/i18n.tsx'
import { duration } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { Empty } from '../core/states.tsx'
import { addQuestion } from './actions.ts'
import { Card } from './card.tsx'
import { faultTextsAt } from './fault_texts.ts'
import { keepInPlace } from './focus.ts'
import { gateText } from './gate.ts'
import { QuestionForm, StageForm } from './lazy.ts'
import { pointsOf, type Stage } from './model.ts'
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
  /** Opens the dialog for pasted questions. */
  paste(): void
}

export function StageView({ editor, stage, position, faulty, paste }: Props) {
  const active = editor.active.value
  const rendered = editor.rendered.value
  const { key, questions } = stage
  return (
    <div class="editor-stage">
      {active === key && !editor.isReadOnly ? (
        <StageForm editor={editor} stage={stage} position={position} />
      ) : (
        <StageHead editor={editor} stage={stage} position={position} />
      )}
      {questions.length === 0 && <NoQuestions editor={editor} stage={stage} paste={paste} />}
      <ol class="editor-questions">
        {questions.map((question, index) => (
          <li key={question.key} class={question.key === active ? undefined : 'lazy'}>
            {question.key === active && !editor.isReadOnly ? (
              <QuestionForm editor={editor} question={question} position={index + 1} />
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
      {!editor.isReadOnly && questions.length > 0 && (
        <p class="editor-add">
          <AddQuestion editor={editor} stage={stage} />
          <PasteButton paste={paste} />
        </p>
      )}
    </div>
  )
}

function PasteButton({ paste }: { paste(): void }) {
  return (
    <button type="button" class="button small" onClick={paste}>
      {text('editor.paste')}
    </button>
  )
}

function AddQuestion({ editor, stage }: { editor: Editor; stage: Stage }) {
  return (
    <button
      type="button"
      class="button small"
      data-place={`/s/${stage.key}/add`}
      onClick={() => addQuestion(editor, stage.key)}
    >
      <Icon name="plus" />
      {text('editor.question.add')}
    </button>
  )
}

function NoQuestions({ editor, stage, paste }: Pick<Props, 'editor' | 'stage' | 'paste'>) {
  if (editor.isReadOnly) return <p class="muted">{text('editor.stage.empty')}</p>
  return (
    <Empty
      title={text('editor.stage.empty')}
      action={
        <p class="editor-add">
          <AddQuestion editor={editor} stage={stage} />
          <PasteButton paste={paste} />
        </p>
      }
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
  const { key, title, description, questions } = stage
  const rules = rulesOf(stage)
  const place = `/s/${key}/description`
  return (
    <header class="editor-stage-head" data-key={key}>
      <div>
        <p class="muted small">
          {text('editor.stage.number', { number: position })} ·{' '}
          {text('editor.questions.count', { count: questions.length })} ·{' '}
          {text('editor.points.count', { count: pointsOf(questions) })}
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
