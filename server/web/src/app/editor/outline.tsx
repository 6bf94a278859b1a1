// The stages and questions at the side: to go to one, and to move them.
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { addStage } from './actions.ts'
import { startDrag } from './drag.ts'
import { memo } from './memo.ts'
import { ownQuestions, placeQuestion, placeStage, stageOf, type Pool, type Question, type Stage } from './model.ts'
import { shortOf } from './plain.ts'
import { placePool } from './pool.ts'
import type { Editor } from './state.ts'

interface Props {
  editor: Editor
  shown: string | undefined
  faulty: ReadonlySet<string>
}

export function Outline({ editor, shown, faulty }: Props) {
  const active = editor.active.value
  return (
    <nav class="editor-outline" aria-label={text('editor.outline')} data-scrolls>
      <ol>
        {editor.doc.value.stages.map((stage, index) => (
          <StageItem
            key={stage.key}
            editor={editor}
            stage={stage}
            position={index + 1}
            isShown={stage.key === shown}
            active={stage.key === active || stageOf(editor.doc.value, active ?? '') === stage ? active : undefined}
            faulty={faulty}
          />
        ))}
      </ol>
      {!editor.isReadOnly && (
        <button type="button" class="button quiet small" data-place="/stages" onClick={() => addStage(editor)}>
          <Icon name="plus" />
          {text('editor.stage.add')}
        </button>
      )}
    </nav>
  )
}

interface StageItemProps {
  editor: Editor
  stage: Stage
  position: number
  isShown: boolean
  /** The key that is edited, if it is the stage or in it. */
  active: string | undefined
  faulty: ReadonlySet<string>
}

const StageItem = memo(function StageItem({ editor, stage, position, isShown, active, faulty }: StageItemProps) {
  const { key, title, pools } = stage
  const drop = (target: string, isAfter: boolean) => {
    const doc = editor.doc.peek()
    const others = doc.stages.filter((other) => other.key !== key)
    const to = others.findIndex((other) => `s/${other.key}` === target) + Number(isAfter)
    editor.change(placeStage(doc, key, to), `/s/${key}/title`)
  }
  const open = () => {
    editor.active.value = editor.isReadOnly ? undefined : key
    editor.stage.value = key
    if (!editor.isReadOnly) editor.wanted.value = `/s/${key}/title`
  }
  return (
    <li>
      <div class="editor-item stage" data-drop={`s/${key}`}>
        {!editor.isReadOnly && <Grip press={(event) => startDrag(event, { rows: '.editor-item.stage', drop })} />}
        <button type="button" data-place={`/s/${key}/item`} aria-current={isShown ? 'true' : undefined} onClick={open}>
          <span class="name">{title.trim() || text('editor.stage.number', { number: position })}</span>
          {faulty.has(key) && <Mark />}
        </button>
      </div>
      <ol>
        {ownQuestions(stage).map((question, index) => (
          <QuestionItem
            key={question.key}
            editor={editor}
            question={question}
            position={index + 1}
            isActive={question.key === active}
            isFaulty={faulty.has(question.key)}
          />
        ))}
        {pools.map((pool, index) => (
          <PoolItem
            key={pool.key}
            editor={editor}
            pool={pool}
            position={index + 1}
            isActive={pool.key === active}
            isFaulty={faulty.has(pool.key)}
          />
        ))}
      </ol>
    </li>
  )
})

interface QuestionItemProps {
  editor: Editor
  question: Question
  position: number
  isActive: boolean
  isFaulty: boolean
}

const QuestionItem = memo(function QuestionItem({ editor, question, position, isActive, isFaulty }: QuestionItemProps) {
  const { key, prompt } = question
  const drop = (target: string, isAfter: boolean) => {
    const doc = editor.doc.peek()
    const [kind, to = ''] = target.split('/')
    if (kind === 's') return editor.change(placeQuestion(doc, key, to, 0), `/q/${key}/prompt`)
    const stage = stageOf(doc, to)
    if (!stage) return
    const others = stage.questions.filter((other) => other.key !== key)
    // Pools follow the questions of the stage.
    const index = kind === 'p' ? others.length : others.findIndex((other) => other.key === to) + Number(isAfter)
    editor.change(placeQuestion(doc, key, stage.key, index), `/q/${key}/prompt`)
  }
  const open = () => openItem(editor, key, `/q/${key}/prompt`)
  return (
    <li class="editor-item" data-drop={`q/${key}`}>
      {!editor.isReadOnly && <Grip press={(event) => startDrag(event, { rows: '.editor-item', drop })} />}
      <button
        type="button"
        data-place={`/q/${key}/item`}
        title={shortOf(prompt)}
        aria-current={isActive ? 'true' : undefined}
        onClick={open}
      >
        <span class="muted number">{position}</span>
        <span class="name">{shortOf(prompt) || <em class="muted">{text('editor.prompt.empty')}</em>}</span>
        {isFaulty && <Mark />}
      </button>
    </li>
  )
})

interface PoolItemProps extends Omit<QuestionItemProps, 'question'> {
  pool: Pool
}

const PoolItem = memo(function PoolItem({ editor, pool, position, isActive, isFaulty }: PoolItemProps) {
  const { key, title, count } = pool
  const rows = '.editor-item:is(.pool, .stage)'
  const drop = (target: string, isAfter: boolean) =>
    editor.change(placePool(editor.doc.peek(), key, target.slice(2), isAfter), `/p/${key}/tags`)
  return (
    <li class="editor-item pool" data-drop={`p/${key}`}>
      {!editor.isReadOnly && <Grip press={(event) => startDrag(event, { rows, drop })} />}
      <button
        type="button"
        data-place={`/p/${key}/item`}
        aria-current={isActive ? 'true' : undefined}
        onClick={() => openItem(editor, key, `/p/${key}/tags`)}
      >
        <span class="muted number">{count}×</span>
        <span class="name">{title.trim() || text('editor.pool.number', { number: position })}</span>
        {isFaulty && <Mark />}
      </button>
    </li>
  )
})

/** openItem opens the form of a question or a pool. What cannot be changed is only shown. */
function openItem(editor: Editor, key: string, place: string): void {
  if (!editor.isReadOnly) return editor.show(place)
  editor.stage.value = stageOf(editor.doc.peek(), key)?.key
  const card = () => document.querySelector(`[data-key="${CSS.escape(key)}"]`)
  requestAnimationFrame(() => card()?.scrollIntoView({ block: 'center' }))
}

function Mark() {
  return (
    <span class="mark-faulty">
      <Icon name="warning" />
      <span class="unseen">{text('editor.incomplete')}</span>
    </span>
  )
}

function Grip({ press }: { press(event: PointerEvent): void }) {
  return (
    <span class="grip" aria-hidden="true" onPointerDown={press}>
      <Icon name="grip" />
    </span>
  )
}
