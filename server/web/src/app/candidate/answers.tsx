// The answers of a candidate, each next to its key.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number, quantity, score } from '../core/figures.ts'
import { Icon, type IconName } from '../core/icons.tsx'
import { to, useAddress } from '../core/url.ts'
import { pointsOf } from '../core/verdict.ts'
import { FreeText } from './free_text.tsx'
import { keyWords } from './keys.ts'
import { Segmented } from './segmented.tsx'

type Result = Schemas['Result']
type ResultStage = Schemas['ResultStage']
type ResultQuestion = Schemas['ResultQuestion']
/** The questions with their keys, by id. */
export type Keys = Map<string, Schemas['Question']>

export type Outcome = 'right' | 'partly' | 'wrong' | 'empty' | 'notReached' | 'pending'

export function outcomeOf({ correct, answer, points, scoredBy }: ResultQuestion): Outcome {
  if (scoredBy === 'PENDING') return 'pending'
  if (correct === null) return 'notReached'
  if (correct) return 'right'
  if (answer === null) return 'empty'
  return points > 0 ? 'partly' : 'wrong'
}

const icons: Record<Outcome, IconName> = {
  right: 'check',
  partly: 'half',
  wrong: 'close',
  empty: 'minus',
  notReached: 'minus',
  pending: 'clock',
}

export function OutcomeIcon({ outcome }: { outcome: Outcome }) {
  return (
    <span class={`outcome ${outcome}`}>
      <Icon name={icons[outcome]} />
      <span class="unseen">{text(`candidate.outcome.${outcome}`)}</span>
    </span>
  )
}

interface Props {
  result: Pick<Result, 'stages'>
  /** The id of a stage whose answers are shown at once. */
  openStage?: string | null
  keys: Keys
  lang: string | null | undefined
  isErased: boolean
  /** What is shown below an answer. */
  beside(question: ResultQuestion): ComponentChildren
}

export function Answers({ result, openStage, keys, lang, isErased, beside }: Props) {
  const { query } = useAddress()
  const onlyWrong = query.answers === 'wrong'
  const isWrong = (question: ResultQuestion) => !['right', 'notReached', 'pending'].includes(outcomeOf(question))
  const reached = result.stages.filter(({ status }) => status !== 'NOT_REACHED')
  const all = reached.flatMap(({ questions }) => questions)
  const wrong = all.filter(isWrong)
  useScrollTo(query.question)
  return (
    <section class="card no-print" aria-labelledby="answers">
      <div class="sort-links">
        <h2 id="answers">{text('candidate.answers.title')}</h2>
        <span class="grow" />
        <Segmented
          label={text('candidate.answers.filter')}
          name="answers"
          options={[
            { value: undefined, label: text('candidate.answers.all', { number: number(all.length) }) },
            { value: 'wrong', label: text('candidate.answers.wrong', { number: number(wrong.length) }) },
          ]}
        />
      </div>
      {isErased && <p class="muted">{text('candidate.answers.erased')}</p>}
      {onlyWrong && wrong.length === 0 && <p class="muted">{text('candidate.answers.noneWrong')}</p>}
      {reached.map((stage) => {
        const shown = onlyWrong ? stage.questions.filter(isWrong) : stage.questions
        if (shown.length === 0) return null
        const isOpen = onlyWrong || stage.id === openStage || stage.questions.some(({ id }) => id === query.question)
        return (
          <StageAnswers key={`${stage.id} ${onlyWrong}`} stage={stage} isOpen={isOpen}>
            {shown.map((question) => (
              <Answered key={question.id} question={question} fullKey={keys.get(question.id)} lang={lang}>
                {beside(question)}
              </Answered>
            ))}
          </StageAnswers>
        )
      })}
    </section>
  )
}

/** The marks of the stages link to a question. */
function useScrollTo(question: string | undefined): void {
  useEffect(() => {
    if (!question) return
    const place = document.getElementById(`answer-${question}`)
    place?.scrollIntoView({ block: 'center' })
    place?.focus({ preventScroll: true })
  }, [question])
}

function StageAnswers({
  stage,
  isOpen,
  children,
}: {
  stage: ResultStage
  isOpen: boolean
  children: ComponentChildren
}) {
  const right = stage.questions.filter(({ correct }) => correct).length
  return (
    <details class="stage-answers" open={isOpen}>
      <summary>
        <span class="stage-name">{stage.title}</span>
        <span class="muted small">
          {stage.questions.some(({ type }) => type === 'FREE_TEXT')
            ? pointsOf(stage.points ?? 0, stage.maxPoints)
            : text('candidate.answers.right', { count: right, total: stage.questions.length })}
          {stage.score !== null && ` · ${score(stage.score)}`}
        </span>
      </summary>
      <ol>{children}</ol>
    </details>
  )
}

interface AnsweredProps {
  question: ResultQuestion
  fullKey: Schemas['Question'] | undefined
  lang: string | null | undefined
}

function Answered({ question, fullKey, lang, children }: AnsweredProps & { children: ComponentChildren }) {
  const outcome = outcomeOf(question)
  return (
    <li id={`answer-${question.id}`} class="answered" tabIndex={-1}>
      <div class="answered-head">
        <OutcomeIcon outcome={outcome} />
        <span class="small muted">
          {text('candidate.answers.number', { number: question.order })} ·{' '}
          {hasWord(question, outcome) && `${text(`candidate.outcome.${outcome}`)} · `}
          {text('candidate.answers.points', { points: number(question.points, 2), max: number(question.maxPoints, 2) })}
          <BankLink question={question} />
        </span>
      </div>
      <Html html={question.promptHtml} lang={lang} />
      {question.type === 'FREE_TEXT' && question.answer?.text ? (
        <FreeText value={question.answer.text} />
      ) : question.options ? (
        <Options question={question} fullKey={fullKey} lang={lang} />
      ) : (
        <dl class="answer-key">
          <dt>{text('candidate.answers.answer')}</dt>
          <dd translate={false}>
            {answerWords(question) ?? <span class="muted">{text('candidate.outcome.empty')}</span>}
          </dd>
          {fullKey && keyWords(fullKey) && (
            <>
              <dt>{text('candidate.answers.key')}</dt>
              <dd translate={false}>{keyWords(fullKey)}</dd>
            </>
          )}
        </dl>
      )}
      {fullKey?.explanationHtml && <Html class="small muted" html={fullKey.explanationHtml} lang={lang} />}
      {children}
    </li>
  )
}

/** BankLink leads to the question of the bank of which the candidate got a copy. */
function BankLink({ question: { bankQuestionId, bankVersion } }: { question: ResultQuestion }) {
  if (!bankQuestionId) return null
  return (
    <>
      {' · '}
      <a href={to(`/questions/${bankQuestionId}`)}>{text('candidate.answers.bank', { version: bankVersion ?? 0 })}</a>
    </>
  )
}

/** hasWord reports whether a word says more than the points. A text is not right or wrong. */
const hasWord = ({ type }: ResultQuestion, outcome: Outcome) =>
  type !== 'FREE_TEXT' || ['empty', 'notReached', 'pending'].includes(outcome)

/** answerWords returns the answer as text, or null without an answer. */
export function answerWords({ answer, options }: ResultQuestion): string | null {
  if (!answer) return null
  const chosen = chosenOf(answer)
  if (options)
    return options
      .filter(({ id }) => chosen.includes(id))
      .map(({ text }) => text)
      .join(', ')
  return answer.number !== undefined ? quantity(answer.number) : (answer.text ?? null)
}

const chosenOf = (answer: Schemas['Answer'] | null): string[] =>
  answer?.optionIds ?? (answer?.optionId !== undefined ? [answer.optionId] : [])

/** Options shows which options the candidate chose, and which ones are correct. */
function Options({ question, fullKey, lang }: AnsweredProps) {
  const chosen = chosenOf(question.answer)
  const correct = fullKey?.correctOptionIds ?? (fullKey?.correctOptionId ? [fullKey.correctOptionId] : [])
  return (
    <ul class="answer-options">
      {question.options!.map((option) => {
        const isChosen = chosen.includes(option.id)
        const isCorrect = correct.includes(option.id)
        const words = [
          isChosen && text('candidate.option.chosen'),
          isCorrect && text('candidate.option.correct'),
        ].filter(Boolean)
        const kind = isCorrect ? 'is-correct' : isChosen ? 'is-wrong' : ''
        return (
          <li key={option.id} class={`${kind} ${isChosen ? 'is-chosen' : ''}`}>
            {isCorrect ? <Icon name="check" /> : isChosen ? <Icon name="close" /> : <span />}
            <Html html={option.textHtml} lang={lang} />
            <span class="small">{words.join(', ')}</span>
          </li>
        )
      })}
    </ul>
  )
}
