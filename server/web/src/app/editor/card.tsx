// A question that is not being edited: what candidates see, with the key.
import { text } from '../../shared/i18n.tsx'
import { quantity } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { keepInPlace } from './focus.ts'
import { memo } from './memo.ts'
import type { Question } from './model.ts'
import { Markdown } from './preview.tsx'
import type { Part } from './rendered.ts'
import type { Editor } from './state.ts'
import { isBlank } from '../../shared/text.ts'

interface Props {
  editor: Editor
  question: Question
  position: number
  isFaulty: boolean
  rendered: Part | undefined
}

export const Card = memo(function Card({ editor, question, position, isFaulty, rendered }: Props) {
  const { key, prompt, type, points } = question
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
        <KeyOf question={question} rendered={rendered} />
        <p class="editor-card-meta muted small">
          {text(`editor.type.${type}`)} · {text('editor.points.count', { count: points })}
          {type === 'MULTIPLE_CHOICE' && question.partialCredit && ` · ${text('editor.partialCredit.short')}`}
          {editor.isReadOnly && question.explanation && (
            <span class="editor-card-explanation">{text('editor.explanation.is', { text: question.explanation })}</span>
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

function KeyOf({ question, rendered }: { question: Question; rendered: Part | undefined }) {
  const { key, type, options, correct, answer, tolerance, acceptedAnswers } = question
  if (type === 'NUMERIC') {
    if (answer === null) return null
    const shown = tolerance > 0 ? `${quantity(answer)} ± ${quantity(tolerance)}` : quantity(answer)
    return <p class="editor-card-key">{text('editor.answer.is', { answer: shown })}</p>
  }
  if (type === 'SHORT_TEXT') {
    const answers = acceptedAnswers.filter((accepted) => !isBlank(accepted))
    if (answers.length === 0) return null
    return <p class="editor-card-key">{text('editor.answer.is', { answer: answers.join(', ') })}</p>
  }
  const shown = options.filter((option) => !isBlank(option.text))
  if (shown.length === 0) return null
  return (
    <ul class="editor-card-options">
      {shown.map(({ id, text: source }) => {
        const isCorrect = type === 'SINGLE_CHOICE' ? correct[0] === id : correct.includes(id)
        return (
          <li key={id} class={isCorrect ? 'correct' : undefined}>
            {isCorrect ? <Icon name="check" /> : <span class="dot" aria-hidden="true" />}
            <Markdown rendered={rendered?.[`options/${id}`]} source={source} />
            {isCorrect && <span class="unseen">{text('editor.options.isCorrect')}</span>}
          </li>
        )
      })}
    </ul>
  )
}
