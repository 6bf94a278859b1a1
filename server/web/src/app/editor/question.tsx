// The form of the question that is being edited.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { KeepDialog } from '../pools/lazy.ts'
import { addQuestion, duplicateQuestion, removeQuestion, stepQuestion } from './actions.ts'
import { Field, NumberField, TextField } from './fields.tsx'
import { kinds } from './kinds/kinds.ts'
import { setQuestion, type Question, type QuestionType } from './model.ts'
import { Preview } from './preview.tsx'
import type { Editor, FieldEditor } from './state.ts'
import { Tool } from './tool.tsx'

interface Props {
  editor: Editor
  question: Question
  /** The position in the stage, from 1. */
  position: number
}

export function QuestionForm({ editor, question, position }: Props) {
  const { key } = question
  const [isKeeping, setKeeping] = useState(false)
  const at = (field: string) => `/q/${key}/${field}`
  return (
    <section class="editor-form" data-key={key} aria-label={text('editor.question.number', { number: position })}>
      <header class="editor-form-head">
        <h3>{text('editor.question.number', { number: position })}</h3>
        <span class="grow" />
        <Tool icon="up" place={at('up')} label={text('editor.question.up')} act={() => stepQuestion(editor, key, -1)} />
        <Tool
          icon="down"
          place={at('down')}
          label={text('editor.question.down')}
          act={() => stepQuestion(editor, key, 1)}
        />
        <Tool icon="copy" label={text('editor.question.duplicate')} act={() => duplicateQuestion(editor, question)} />
        <Tool icon="trash" label={text('editor.question.delete')} act={() => removeQuestion(editor, key)} />
      </header>
      <QuestionFields editor={editor} question={question} onPaste={(event) => paste(editor, question, event)} />
      <p class="editor-form-foot">
        <button type="button" class="button small" onClick={() => addQuestion(editor, key)}>
          <Icon name="plus" />
          {text('editor.question.addBelow')}
        </button>
        <button type="button" class="button small" onClick={() => setKeeping(true)}>
          {text('editor.bank.keep')}
        </button>
      </p>
      {isKeeping && <KeepDialog editor={editor} question={question} close={() => setKeeping(false)} />}
    </section>
  )
}

interface FieldsProps {
  editor: FieldEditor
  question: Question
  onPaste?(event: ClipboardEvent): void
}

/** QuestionFields are the fields of a question, also of one in the question bank. */
export function QuestionFields({ editor, question, onPaste }: FieldsProps) {
  const { key, type } = question
  const { Key, explanation = 'editor.explanation' } = kinds[type]
  const at = (field: string) => `/q/${key}/${field}`
  const change = (fields: Partial<Question>, field: string, isTyping = false) =>
    editor.change(setQuestion(editor.doc.peek(), key, fields), at(field), isTyping)
  return (
    <>
      <TextField
        editor={editor}
        place={at('prompt')}
        label={text('editor.prompt')}
        rows={2}
        maxLength={10_000}
        placeholder={text('editor.prompt.placeholder')}
        value={question.prompt}
        change={(prompt) => change({ prompt }, 'prompt', true)}
        {...(onPaste && { onPaste })}
      />
      <Preview editor={editor} place={at('prompt')} source={question.prompt} />
      <div class="editor-kind">
        <Field editor={editor} place={at('type')} label={text('editor.type')}>
          {(attributes) => (
            <select
              {...attributes}
              value={type}
              onChange={(event) => change({ type: event.currentTarget.value as QuestionType }, 'type')}
            >
              {(Object.keys(kinds) as QuestionType[]).map((type) => (
                <option key={type} value={type}>
                  {text(`editor.type.${type}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <NumberField
          editor={editor}
          place={at('points')}
          label={text('editor.points')}
          min={0}
          max={1000}
          isRequired
          value={question.points}
          change={(points) => change({ points: points ?? 0 }, 'points', true)}
        />
      </div>
      <Key key={type} {...{ editor, question, change, at }} />
      <TextField
        editor={editor}
        place={at('explanation')}
        label={text(explanation)}
        hint={text(`${explanation}.hint`)}
        isOptional
        rows={1}
        maxLength={10_000}
        value={question.explanation}
        change={(explanation) => change({ explanation }, 'explanation', true)}
      />
      <Preview editor={editor} place={at('explanation')} source={question.explanation} />
    </>
  )
}

/** paste makes questions of lines that are pasted into an empty question. Any other text is pasted as text. */
function paste(editor: Editor, question: Question, event: ClipboardEvent): void {
  if (question.prompt.trim() || question.options.some((option) => option.text.trim())) return
  const lines = event.clipboardData?.getData('text/plain').trim() ?? ''
  if (!lines.includes('\n')) return
  event.preventDefault()
  const asText = () =>
    editor.change(setQuestion(editor.doc.peek(), question.key, { prompt: lines }), `/q/${question.key}/prompt`)
  import('./paste.tsx').then(({ pasteInto }) => void pasteInto(editor, question.key, lines), asText)
}
