// The assessment on paper: for candidates with space for their answers, or for colleagues with the keys and rubrics.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { list, text } from '../../shared/i18n.tsx'
import { duration, quantity, score } from '../core/figures.ts'
import { day } from '../core/formats.tsx'
import { me } from '../core/me.ts'
import { gateText } from './gate.ts'
import { ownQuestions, stagePoints, type Pool, type Question, type QuestionType, type Stage } from './model.ts'
import { Markdown } from './preview.tsx'
import { renderedAt, type Part } from './rendered.ts'
import { shown } from './shown.tsx'
import type { Editor } from './state.ts'

export type PaperKind = 'blank' | 'keys'

interface Props {
  editor: Editor
  kind: PaperKind
  close(): void
}

/** Paper opens the print dialog, and closes with it, so that the browser's own command never prints this paper. */
export function Paper({ editor, kind, close }: Props) {
  useEffect(() => {
    addEventListener('afterprint', close, { once: true })
    const timer = setTimeout(() => print()) // Preact has rendered the page by then
    return () => {
      clearTimeout(timer)
      removeEventListener('afterprint', close)
    }
  }, [])
  const { settings, stages } = editor.doc.value
  const { title, instructions, passingScore, timeLimitMinutes } = settings
  const hasKeys = kind === 'keys'
  const facts = [
    text('editor.points.count', { count: stagePoints(stages) }),
    timeLimitMinutes !== null && text('editor.stage.limitIs', { limit: duration(timeLimitMinutes * 60) }),
    hasKeys && passingScore !== null && `${text('editor.passingScore')}: ${score(passingScore)}`,
  ]
  return (
    <section class="editor-paper" aria-hidden="true">
      <p class="editor-paper-head">
        <span>{me.value?.organization.name}</span>
        <span>{text('editor.paper.date', { date: day(new Date()) })}</span>
      </p>
      <h1>{title.trim() || text('editor.untitled')}</h1>
      <p>{facts.filter(Boolean).join(' · ')}</p>
      {hasKeys ? (
        <p>
          <b>{text('editor.paper.secret')}</b>
        </p>
      ) : (
        <p class="editor-paper-name">{text('editor.paper.name')}</p>
      )}
      {instructions && (
        <div>
          <Markdown rendered={renderedAt(editor.rendered.value, '/instructions')} source={instructions} />
        </div>
      )}
      {stages.map((stage, index) => (
        <StagePaper key={stage.key} {...{ editor, stage, hasKeys }} position={index + 1} />
      ))}
    </section>
  )
}

interface StageProps {
  editor: Editor
  stage: Stage
  hasKeys: boolean
  position: number
}

function StagePaper({ editor, stage, hasKeys, position }: StageProps) {
  const { key, title, description, timeLimitMinutes, gate, questions, pools } = stage
  const facts = [
    text('editor.points.count', { count: stagePoints([stage]) }),
    timeLimitMinutes !== null && text('editor.stage.limitIs', { limit: duration(timeLimitMinutes * 60) }),
    hasKeys && gate && gateText(gate),
  ]
  return (
    <>
      <h2>
        {text('editor.stage.number', { number: position })}
        {title.trim() && `: ${title}`}
      </h2>
      <p>{facts.filter(Boolean).join(' · ')}</p>
      {description && (
        <div>
          <Markdown rendered={renderedAt(editor.rendered.value, `/s/${key}/description`)} source={description} />
        </div>
      )}
      <List {...{ editor, hasKeys }} questions={ownQuestions(stage)} />
      {pools.map((pool, index) => (
        <PoolPaper key={pool.key} {...{ editor, pool, hasKeys }} position={index + 1} all={questions} />
      ))}
    </>
  )
}

interface ListProps {
  editor: Editor
  questions: Question[]
  hasKeys: boolean
}

function List({ editor, questions, hasKeys }: ListProps) {
  return (
    <ol>
      {questions.map((question) => (
        <li key={question.key}>
          <QuestionPaper {...{ question, hasKeys }} rendered={editor.rendered.value.get(`/q/${question.key}`)} />
        </li>
      ))}
    </ol>
  )
}

interface PoolProps extends Omit<ListProps, 'questions'> {
  pool: Pool
  position: number
  all: Question[]
}

/** PoolPaper has the questions that publishing has added. Nobody draws on paper, so all of them are printed. */
function PoolPaper({ editor, pool: { key, title, count, tags }, position, all, hasKeys }: PoolProps) {
  return (
    <>
      <h3>{title.trim() || text('editor.pool.number', { number: position })}</h3>
      <p>{text('editor.paper.pool', { count, tags: list(tags) })}</p>
      <List {...{ editor, hasKeys }} questions={all.filter(({ poolId }) => poolId === key)} />
    </>
  )
}

interface QuestionProps {
  question: Question
  rendered: Part | undefined
}

function QuestionPaper({ question, rendered, hasKeys }: QuestionProps & { hasKeys: boolean }) {
  const { type, prompt, points, explanation } = question
  const { points: pointsWords, explanation: name = 'editor.explanation' } = shown[type]
  const about = [text('editor.points.count', { count: points }), pointsWords?.(question)]
  const Space = spaces[type]
  const Key = keys[type]
  return (
    <>
      <div class="editor-paper-prompt">
        <Markdown rendered={rendered?.prompt} source={prompt} />
      </div>
      <p class="editor-paper-points">{about.filter(Boolean).join(' · ')}</p>
      {hasKeys ? <Key {...{ question, rendered }} /> : <Space {...{ question, rendered }} />}
      {hasKeys && explanation && (
        <div class="editor-paper-explanation">
          {text(`${name}.is`, { text: '' })}
          <Markdown rendered={rendered?.explanation} source={explanation} />
        </div>
      )}
    </>
  )
}

/** About so many words of handwriting fit in a line. */
const wordsInLine = 9

const lines = (count: number) => (
  <div class="editor-paper-lines">
    {Array.from({ length: count }, (_, i) => (
      <p key={i} />
    ))}
  </div>
)

const linesOf = ({ maxWords }: Question) => Math.min(40, Math.max(4, Math.ceil((maxWords ?? 100) / wordsInLine)))

/** Where candidates write, by the type of the question. */
const spaces: Record<QuestionType, (props: QuestionProps) => JSX.Element> = {
  SINGLE_CHOICE: (props) => <Options {...props} mark={() => '○'} />,
  MULTIPLE_CHOICE: (props) => <Options {...props} mark={() => '☐'} />,
  NUMERIC: () => lines(1),
  SHORT_TEXT: () => lines(1),
  FREE_TEXT: ({ question }) => lines(linesOf(question)),
}

const keys: Record<QuestionType, (props: QuestionProps) => JSX.Element | null> = {
  SINGLE_CHOICE: (props) => <Options {...props} mark={(id) => (props.question.correct[0] === id ? '✓' : '○')} />,
  MULTIPLE_CHOICE: (props) => <Options {...props} mark={(id) => (props.question.correct.includes(id) ? '✓' : '☐')} />,
  NUMERIC: shown.NUMERIC.Key,
  SHORT_TEXT: shown.SHORT_TEXT.Key,
  FREE_TEXT: Rubric,
}

function Options({ question, rendered, mark }: QuestionProps & { mark(id: string): string }) {
  return (
    <ul>
      {question.options.map(({ id, text: source }) => (
        <li key={id}>
          <span>{mark(id)}</span>
          <Markdown rendered={rendered?.[`options/${id}`]} source={source} />
        </li>
      ))}
    </ul>
  )
}

/** Rubric has a column for the points that a grader gives. */
function Rubric({ question: { rubric, points } }: QuestionProps) {
  const rows = rubric.length > 0 ? rubric : [{ id: '', title: text('editor.points'), description: '', points }]
  return (
    <table>
      <thead>
        <tr>
          <th>{text('editor.paper.criterion')}</th>
          <th>{text('editor.points')}</th>
          <th>{text('editor.paper.given')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, title, description, points }) => (
          <tr key={id}>
            <td>
              <b>{title}</b>
              {description && <p>{description}</p>}
            </td>
            <td>{quantity(points)}</td>
            <td />
          </tr>
        ))}
      </tbody>
    </table>
  )
}
