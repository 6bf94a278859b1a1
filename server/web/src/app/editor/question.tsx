// The form of the question that is being edited.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { KeepDialog } from '../pools/lazy.ts'
import { addQuestion, duplicateQuestion, removeQuestion, stepQuestion } from './actions.ts'
import { setQuestion, type Question } from './model.ts'
import { QuestionFields } from './question_fields.tsx'
import type { Editor } from './state.ts'
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
