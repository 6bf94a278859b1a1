// A question of the bank in an assessment: what it contains, and how to make it one of the assessment alone.
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { to } from '../core/url.ts'
import { addQuestion, duplicateQuestion, removeQuestion, stepQuestion } from '../editor/actions.ts'
import { faultTextsAt } from '../editor/fault_texts.ts'
import { detached, setQuestion, type Question } from '../editor/model.ts'
import { Markdown } from '../editor/preview.tsx'
import { shown } from '../editor/shown.tsx'
import type { Editor } from '../editor/state.ts'
import { Tool } from '../editor/tool.tsx'

interface Props {
  editor: Editor
  question: Question
  /** The position in the stage, from 1. */
  position: number
}

export function IncludedForm({ editor, question, position }: Props) {
  const { key, type, prompt, points, explanation, bankQuestionId, bankVersion } = question
  const { Key, points: pointsWords, explanation: name = 'editor.explanation' } = shown[type]
  const at = (field: string) => `/q/${key}/${field}`
  const rendered = editor.rendered.value.get(`/q/${key}`)
  const fault = faultTextsAt(editor, at('bankQuestionId'))
  const about = [text(`editor.type.${type}`), text('editor.points.count', { count: points }), pointsWords?.(question)]
  // Without a version, the server has not yet given the question its content.
  const isReady = bankVersion !== null
  const detach = () => {
    if (!isReady) return
    editor.change(setQuestion(editor.doc.peek(), key, detached), at('prompt'))
    editor.show(at('prompt'))
  }
  return (
    <section class="editor-form" data-key={key} aria-label={text('editor.question.number', { number: position })}>
      <header class="editor-form-head" data-place={at('prompt')}>
        <h3>{text('editor.question.number', { number: position })}</h3>
        <span class="grow" />
        <Tool icon="up" place={at('up')} label={text('editor.question.up')} act={() => stepQuestion(editor, key, -1)} />
        <Tool
          icon="down"
          place={at('down')}
          label={text('editor.question.down')}
          act={() => stepQuestion(editor, key, 1)}
        />
        <Tool
          icon="copy"
          label={text('pools.duplicate')}
          isDisabled={!isReady}
          act={() => duplicateQuestion(editor, question)}
        />
        <Tool icon="trash" label={text('editor.question.delete')} act={() => removeQuestion(editor, key)} />
      </header>
      <div class="note pools-included">
        <Icon name="info" />
        <div>
          <p>{isReady ? text('pools.included', { version: bankVersion }) : text('pools.included.waiting')}</p>
          <p class="go">
            <a class="button small" href={to(`/questions/${bankQuestionId}`)}>
              {text('pools.included.open')}
            </a>
            <button type="button" class="button small" aria-disabled={!isReady} onClick={detach}>
              {text('pools.detach')}
            </button>
          </p>
          <p class="hint">{text('pools.detach.hint')}</p>
        </div>
      </div>
      {fault && <p class="error">{fault}</p>}
      <div class="editor-card-prompt">
        <Markdown rendered={rendered?.prompt} source={prompt} />
      </div>
      <Key question={question} rendered={rendered} />
      <p class="editor-card-meta muted small">
        {about.filter(Boolean).join(' · ')}
        {explanation && <span class="editor-card-explanation">{text(`${name}.is`, { text: explanation })}</span>}
      </p>
      <p class="editor-form-foot">
        <button type="button" class="button small" onClick={() => addQuestion(editor, key)}>
          <Icon name="plus" />
          {text('editor.question.addBelow')}
        </button>
      </p>
    </section>
  )
}
