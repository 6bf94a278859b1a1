// The pools of a stage: what each candidate gets, and what prevents publishing.
import { useMemo } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { seesAll } from '../core/roles.ts'
import { Card } from '../editor/card.tsx'
import { keepInPlace } from '../editor/focus.ts'
import type { Stage } from '../editor/model.ts'
import type { Editor } from '../editor/state.ts'
import { PoolFaults, type PoolProps, type StageProps } from './faults.tsx'
import { PoolForm } from './form.tsx'
import { useMatches } from './matches.ts'
import { drawnWords, nameOf } from './words.ts'

export function Pools({ editor, stage }: StageProps) {
  const active = editor.active.value
  return (
    <section class="pools" aria-labelledby="pools">
      <h3 id="pools">{text('pools.title')}</h3>
      <ul class="editor-questions">
        {stage.pools.map((pool, index) => {
          const props = { editor, stage, pool, position: index + 1 }
          const isForm = pool.key === active && !editor.isReadOnly
          return <li key={pool.key}>{isForm ? <PoolForm {...props} /> : <PoolCard {...props} />}</li>
        })}
      </ul>
    </section>
  )
}

function PoolCard({ editor, stage, pool, position }: PoolProps) {
  const { key, tags, points, questionCount } = pool
  const isPublished = questionCount !== null
  const matches = useMatches(editor.doc.value, pool, { isWanted: !isPublished && seesAll() })
  const total = isPublished ? questionCount : matches?.questions.length
  const open = () => {
    if (getSelection()?.toString()) return // the person selects text
    keepInPlace(key, () => editor.show(`/p/${key}/tags`))
  }
  return (
    <article
      class={editor.isReadOnly ? 'editor-card' : 'editor-card opens'}
      data-key={key}
      onClick={editor.isReadOnly ? undefined : open}
    >
      <div class="editor-card-body">
        <h4>{nameOf(pool, position)}</h4>
        <p>{drawnWords(pool, total)}</p>
        <p class="editor-card-meta muted small">
          {text('pools.each', { points: text('editor.points.count', { count: points }) })}
          {tags.map((tag) => (
            <span key={tag} class="tag" translate={false}>
              {tag}
            </span>
          ))}
        </p>
        <PoolFaults editor={editor} poolKey={key} />
        {isPublished && <Questions editor={editor} stage={stage} poolId={key} />}
      </div>
      {!editor.isReadOnly && (
        <button
          type="button"
          class="icon-button"
          data-place={`/p/${key}/card`}
          aria-label={text('pools.edit', { number: position })}
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
}

/** Questions are those that publishing has added to the pool. */
function Questions({ editor, stage, poolId }: { editor: Editor; stage: Stage; poolId: string }) {
  const questions = useMemo(() => stage.questions.filter((question) => question.poolId === poolId), [stage, poolId])
  const rendered = editor.rendered.value
  return (
    <details class="pools-questions">
      <summary>{text('editor.questions.count', { count: questions.length })}</summary>
      <ol class="editor-questions">
        {questions.map((question, index) => (
          <li key={question.key} class="lazy">
            <Card
              editor={editor}
              question={question}
              position={index + 1}
              isFaulty={false}
              rendered={rendered.get(`/q/${question.key}`)}
            />
          </li>
        ))}
      </ol>
    </details>
  )
}
