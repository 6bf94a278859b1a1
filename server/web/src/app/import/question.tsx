// A question as it will be in the draft.
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { quantity } from '../core/figures.ts'
import { hasText } from '../core/faults.ts'
import { Icon } from '../core/icons.tsx'
import { memo } from '../editor/memo.ts'
import { isPlain } from '../editor/plain.ts'
import type { Question } from './contract.ts'

/** QuestionView is shown again only for another object. With 500 questions, all others would take too long. */
export const QuestionView = memo(({ question }: { question: Question }) => (
  <>
    <Words class="import-prompt" source={question.prompt} html={question.promptHtml} />
    <Key question={question} />
    {question.explanation && (
      <details class="import-explanation small">
        <summary>{text('import.explanation')}</summary>
        <Words source={question.explanation} html={question.explanationHtml ?? ''} />
      </details>
    )}
  </>
))

interface WordsProps {
  source: string
  html: string
  class?: string
}

/** Words shows Markdown as candidates see it. Most texts are plain, and cost less as text. */
function Words({ source, html, class: name }: WordsProps) {
  if (!html || isPlain({ text: source, html })) {
    return (
      <div class={name} dir="auto">
        {source}
      </div>
    )
  }
  return <Html html={html} {...(name && { class: name })} />
}

/** typeText is the name of a type of question. */
export function typeText(type: string): string {
  const key = `import.type.${type}`
  return hasText(key) ? text(key) : type
}

/** Key shows the options with the correct ones marked, or the answer. */
function Key({ question }: { question: Question }) {
  const { type, answer, tolerance, acceptedAnswers, options } = question
  if (options?.length) return <Options question={question} />
  if (type === 'FREE_TEXT') return <p class="muted small">{text('import.graded')}</p>
  const range = tolerance ? ` ± ${quantity(tolerance)}` : ''
  const key = answer !== null ? quantity(answer) + range : (acceptedAnswers ?? []).join(' | ')
  if (!key) return <NoKey />
  return (
    <p class="import-answer">
      <Icon name="check" />
      <bdi>{key}</bdi>
    </p>
  )
}

const NoKey = () => <p class="error">{text('import.noKey')}</p>

function Options({ question: { options, correctOptionId, correctOptionIds } }: { question: Question }) {
  const correct = correctOptionIds ?? (correctOptionId ? [correctOptionId] : [])
  return (
    <>
      <ul class="import-options">
        {options!.map(({ id, text: option, textHtml }) => (
          <li key={id} class={correct.includes(id) ? 'correct' : undefined}>
            {correct.includes(id) ? <Icon name="check" /> : <span class="dot" aria-hidden="true" />}
            <Words source={option} html={textHtml} />
            {correct.includes(id) && <span class="unseen">{text('import.correct')}</span>}
          </li>
        ))}
      </ul>
      {correct.length === 0 && <NoKey />}
    </>
  )
}
