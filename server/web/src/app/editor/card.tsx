// A question that is not being edited: what candidates see, with the key.
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { to } from '../core/url.ts'
import { keepInPlace } from './focus.ts'
import { memo } from './memo.ts'
import type { Question } from './model.ts'
import { Markdown } from './preview.tsx'
import type { Part } from './rendered.ts'
import { shown } from './shown.tsx'
import type { Editor } from './state.ts'

interface Props {
  editor: Editor
  question: Question
  position: number
  isFaulty: boolean
  rendered: Part | undefined
}

export const Card = memo(function Card({ editor, question, position, isFaulty, rendered }: Props) {
  const { key, prompt, type, points, bankQuestionId, bankVersion } = question
  const { Key, points: pointsWords, explanation = 'editor.explanation' } = shown[type]
  const about = pointsWords?.(question)
  const open = () => {
    if (getSelection()?.toString()) return // the person selects text
    keepInPlace(key, () => editor.show(`/q/${key}/prompt`))
  }
  const title = <Markdown rendered={rendered?.prompt} source={prompt} />
  return (
    <article
      class={editor.isReadOnly ? 'editor-card' : 'editor-card opens'}
      data-key={key}
      onClick={editor.isReadOnly ? undefined : open}
    >
      <span class="editor-number-of muted">{position}</span>
      <div class="editor-card-body">
        <div class="editor-card-prompt">
          {prompt.trim() ? title : <em class="muted">{text('editor.prompt.empty')}</em>}
        </div>
        <Key question={question} rendered={rendered} />
        <p class="editor-card-meta muted small">
          {text(`editor.type.${type}`)} · {text('editor.points.count', { count: points })}
          {about && ` · ${about}`}
          {bankQuestionId && ' · '}
          {bankQuestionId && (
            <a href={to(`/questions/${bankQuestionId}`)} onClick={(event) => event.stopPropagation()}>
              {bankVersion === null ? text('editor.bank.from') : text('editor.bank.version', { version: bankVersion })}
            </a>
          )}
          {editor.isReadOnly && question.explanation && (
            <span class="editor-card-explanation">{text(`${explanation}.is`, { text: question.explanation })}</span>
          )}
          {isFaulty && (
            <span class="tag warn">
              <Icon name="warning" />
              {text('editor.incomplete')}
            </span>
          )}
        </p>
      </div>
      {!editor.isReadOnly && (
        <button
          type="button"
          class="icon-button"
          data-place={`/q/${key}/card`}
          aria-label={text('editor.question.edit', { number: position })}
          onClick={(event) => {
            event.stopPropagation()
            open()
          }}
        >
          <Icon name="edit" />
        </button>
      )}
    </article>
  )
})
