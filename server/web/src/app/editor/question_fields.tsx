// The fields of a question in the editor. The question bank has them without the editor, so they are a file of their own.
import { text } from '../../shared/i18n.tsx'
import { Field, NumberField, TextField } from './fields.tsx'
import { kinds } from './kinds/kinds.ts'
import { setQuestion, type Question, type QuestionType } from './model.ts'
import { Preview } from './preview.tsx'
import type { FieldEditor } from './state.ts'

interface FieldsProps {
  editor: FieldEditor
  question: Question
  onPaste?(event: ClipboardEvent): void
}

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
