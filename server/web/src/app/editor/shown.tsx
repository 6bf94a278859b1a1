// The key of a question that is not being edited, by its type.
import type { JSX } from 'preact'
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { quantity } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import type { Question, QuestionType } from './model.ts'
import { Markdown } from './preview.tsx'
import type { Part } from './rendered.ts'

export interface ShownProps {
  question: Question
  rendered: Part | undefined
}

interface Shown {
  Key(props: ShownProps): JSX.Element | null
  /** A word about how points are given, beside the number of points. */
  points?(question: Question): string
  /** The texts of the explanation, if it does not say why an answer is correct. */
  explanation?: 'editor.goodAnswer'
}

export const shown: Record<QuestionType, Shown> = {
  SINGLE_CHOICE: {
    Key: ({ question, rendered }) => <Options {...{ question, rendered }} correct={question.correct.slice(0, 1)} />,
  },
  MULTIPLE_CHOICE: {
    Key: ({ question, rendered }) => <Options {...{ question, rendered }} correct={question.correct} />,
    points: ({ partialCredit }) => (partialCredit ? text('editor.partialCredit.short') : ''),
  },
  NUMERIC: {
    Key({ question: { answer, tolerance } }) {
      if (answer === null) return null
      return <Answer is={tolerance > 0 ? `${quantity(answer)} ± ${quantity(tolerance)}` : quantity(answer)} />
    },
  },
  SHORT_TEXT: {
    Key({ question: { acceptedAnswers } }) {
      const answers = acceptedAnswers.filter((accepted) => !isBlank(accepted))
      return answers.length === 0 ? null : <Answer is={answers.join(', ')} />
    },
  },
  FREE_TEXT: {
    Key: ({ question }) => <Rubric {...question} />,
    points: ({ maxWords }) => (maxWords === null ? '' : text('editor.maxWords.short', { count: maxWords })),
    explanation: 'editor.goodAnswer',
  },
}

function Answer({ is: answer }: { is: string }) {
  return <p class="editor-card-key">{text('editor.answer.is', { answer })}</p>
}

function Rubric({ rubric }: Question) {
  if (rubric.length === 0) return null
  return (
    <ul class="editor-card-rubric" aria-label={text('editor.rubric')}>
      {rubric.map(({ id, title, points }) => (
        <li key={id}>
          <bdi>{title.trim() || text('editor.criterion.empty')}</bdi>
          <span>{text('editor.points.count', { count: points })}</span>
        </li>
      ))}
    </ul>
  )
}

/** Options has the ids of the correct options in correct. */
function Options({ question, rendered, correct }: ShownProps & { correct: string[] }) {
  const shown = question.options.filter((option) => !isBlank(option.text))
  if (shown.length === 0) return null
  return (
    <ul class="editor-card-options">
      {shown.map(({ id, text: source }) => (
        <li key={id} class={correct.includes(id) ? 'correct' : undefined}>
          {correct.includes(id) ? <Icon name="check" /> : <span class="dot" aria-hidden="true" />}
          <Markdown rendered={rendered?.[`options/${id}`]} source={source} />
          {correct.includes(id) && <span class="unseen">{text('editor.options.isCorrect')}</span>}
        </li>
      ))}
    </ul>
  )
}
