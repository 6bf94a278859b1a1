// Adds questions of the bank to a stage, several at once.
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { useTags } from '../bank/tags.tsx'
import { ask, cursorOf, v1, type Answer } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { notify } from '../core/notices.tsx'
import { useQuery } from '../core/query.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { addQuestions } from '../editor/actions.ts'
import { newQuestion, type Question, type QuestionType } from '../editor/model.ts'
import { shortOf } from '../editor/plain.ts'
import type { Editor } from '../editor/state.ts'
import { includedIn, type Summary } from './matches.ts'

interface Props {
  editor: Editor
  /** The question or the stage after which the questions are added. */
  after: string
  close(): void
}

/** How many questions appear at once. */
const pageSize = 50
/** With a search, a page can be empty and have a next one. */
const maxRequests = 10

interface Page {
  rows: Summary[]
  hasMore: boolean
}

async function read(q: string, tag: string, count: number): Promise<Answer<Page>> {
  const rows: Summary[] = []
  let after: string | undefined
  for (let requests = 1; ; requests++) {
    const query = { limit: pageSize, ...(q && { q }), ...(tag && { tag: [tag] }), ...(after && { after }) }
    const answer = await ask(v1.GET('/v1/questions', { params: { query } }))
    if (!answer.ok) return answer
    rows.push(...answer.data)
    after = cursorOf(answer.response)
    if (!after || rows.length >= count || requests >= maxRequests + count / pageSize) {
      return { ...answer, data: { rows, hasMore: after !== undefined } }
    }
  }
}

export function PickerDialog({ editor, after, close }: Props) {
  const [typed, setTyped] = useState('')
  const [q, setQ] = useState('')
  const [tag, setTag] = useState('')
  const [count, setCount] = useState(pageSize)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Summary>>(new Map())
  const tags = useTags()
  const query = useQuery(`/v1/questions#${JSON.stringify([q, tag, count])}`, () => read(q, tag, count))
  useEffect(() => {
    const timer = setTimeout(() => {
      setQ(typed.trim())
      setCount(pageSize)
    }, 250)
    return () => clearTimeout(timer)
  }, [typed])
  const included = includedIn(editor.doc.value)
  const toggle = (question: Summary) => {
    const next = new Map(chosen)
    if (!next.delete(question.id)) next.set(question.id, question)
    setChosen(next)
  }
  const add = () => {
    if (chosen.size === 0 || !addQuestions(editor, after, [...chosen.values()].map(questionOf))) return
    close()
    void editor.save() // the response has what the questions contain
    const act = () => void editor.undo()
    notify(text('editor.pasted', { count: chosen.size }), { label: text('editor.undo'), act })
  }
  const isFiltered = q !== '' || tag !== ''
  return (
    <Dialog title={text('editor.bank.add')} close={close} kind="wide">
      <form
        class="pools-filters"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          setQ(typed.trim())
        }}
      >
        <input
          type="search"
          class="field"
          aria-label={text('pools.search')}
          placeholder={text('pools.search')}
          maxLength={200}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <select
          class="field"
          aria-label={text('pools.tag')}
          value={tag}
          onChange={(event) => {
            setTag(event.currentTarget.value)
            setCount(pageSize)
          }}
        >
          <option value="">{text('pools.tag.all')}</option>
          {tags.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </form>
      <Loaded query={query}>
        {({ rows, hasMore }) => (
          <>
            {rows.length === 0 && <None isFiltered={isFiltered} />}
            <ul class="pools-choices" aria-label={text('pools.choices')}>
              {rows.map((question) => (
                <Choice
                  key={question.id}
                  question={question}
                  isIncluded={included.has(question.id)}
                  isChosen={chosen.has(question.id)}
                  toggle={() => toggle(question)}
                />
              ))}
            </ul>
            {hasMore && (
              <button type="button" class="button small" onClick={() => setCount(count + pageSize)}>
                {text('pools.more')}
              </button>
            )}
          </>
        )}
      </Loaded>
      <div class="go">
        <button type="button" class="button primary" aria-disabled={chosen.size === 0} onClick={add}>
          {text('editor.paste.add', { count: chosen.size })}
        </button>
        <button type="button" class="button" onClick={close}>
          {text('dialog.cancel')}
        </button>
      </div>
    </Dialog>
  )
}

/** Until the server has saved the question, it has only what the list says. */
const questionOf = ({ id, type, prompt, points }: Summary): Question =>
  ({ ...newQuestion(type as QuestionType), prompt, points, bankQuestionId: id })

function None({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p class="muted" role="status">{text('pools.noMatch')}</p>
  return (
    <Empty
      title={text('pools.empty')}
      action={
        <a class="button" href={to('/questions')}>
          {text('pools.empty.open')}
        </a>
      }
    >
      {text('pools.empty.text')}
    </Empty>
  )
}

interface ChoiceProps {
  question: Summary
  isIncluded: boolean
  isChosen: boolean
  toggle(): void
}

function Choice({ question, isIncluded, isChosen, toggle }: ChoiceProps) {
  const { prompt, type, points, tags } = question
  return (
    <li>
      <label class="tick">
        <input type="checkbox" checked={isChosen || isIncluded} disabled={isIncluded} onChange={toggle} />
        <span>
          <span class="pools-prompt">{shortOf(prompt) || text('editor.prompt.empty')}</span>
          <span class="hint">
            {text(`editor.type.${type as QuestionType}`)} · {text('editor.points.count', { count: points })}
            {isIncluded && ` · ${text('pools.isIncluded')}`}
            {tags.map((tag) => (
              <span key={tag} class="tag" translate={false}>
                {tag}
              </span>
            ))}
          </span>
        </span>
      </label>
    </li>
  )
}
