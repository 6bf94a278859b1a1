// The form of the pool that is being edited.
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { to } from '../core/url.ts'
import { removePool, stepPool } from '../editor/actions.ts'
import { faultTextsAt } from '../editor/fault_texts.ts'
import { idOf, NumberField, TextField } from '../editor/fields.tsx'
import type { Pool } from '../editor/model.ts'
import { shortOf } from '../editor/plain.ts'
import { setPool } from '../editor/pool.ts'
import { Tool } from '../editor/tool.tsx'
import { PoolFaults, type PoolProps } from './faults.tsx'
import { useMatches, type Matches } from './matches.ts'
import { TagsField } from './tags.tsx'

/** How often the matching questions are counted again, because a colleague can change the bank meanwhile. */
const every = 30_000

export function PoolForm({ editor, pool, position }: PoolProps) {
  const { key } = pool
  const at = (field: string) => `/p/${key}/${field}`
  const change = (fields: Partial<Pool>, field: string, isTyping = false) =>
    editor.change(setPool(editor.doc.peek(), key, fields), at(field), isTyping)
  const step = (by: 1 | -1) => stepPool(editor, key, by)
  const matches = useMatches(editor.doc.value, pool, { every })
  return (
    <section class="editor-form" data-key={key} aria-label={text('editor.pool.number', { number: position })}>
      <header class="editor-form-head">
        <h4>{text('editor.pool.number', { number: position })}</h4>
        <span class="grow" />
        <Tool icon="up" place={at('up')} label={text('editor.question.up')} act={() => step(-1)} />
        <Tool icon="down" place={at('down')} label={text('editor.question.down')} act={() => step(1)} />
        <Tool icon="trash" label={text('pools.delete')} act={() => removePool(editor, key)} />
      </header>
      <TagsField
        id={idOf(at('tags'))}
        place={at('tags')}
        label={text('pools.tags')}
        hint={text('pools.tags.hint')}
        error={faultTextsAt(editor, at('tags'))}
        tags={pool.tags}
        change={(tags) => change({ tags }, 'tags')}
      />
      <Found pool={pool} matches={matches} />
      <div class="editor-kind">
        <NumberField
          editor={editor}
          place={at('count')}
          label={text('pools.count')}
          min={1}
          max={500}
          isInteger
          isRequired
          value={pool.count}
          change={(count) => change({ count: count ?? 1 }, 'count', true)}
        />
        <NumberField
          editor={editor}
          place={at('points')}
          label={text('pools.points')}
          min={0}
          max={1000}
          isRequired
          value={pool.points}
          change={(points) => change({ points: points ?? 0 }, 'points', true)}
        />
      </div>
      <TextField
        editor={editor}
        place={at('title')}
        label={text('pools.name')}
        hint={text('pools.name.hint')}
        isOptional
        maxLength={200}
        value={pool.title}
        change={(title) => change({ title }, 'title', true)}
      />
      <PoolFaults editor={editor} poolKey={key} only="" />
    </section>
  )
}

/** Found says how many questions of the bank match at present, and lists them. */
function Found({ pool, matches }: { pool: Pool; matches: Matches | undefined }) {
  if (pool.tags.length === 0) return null
  if (!matches) return <p class="muted pools-found">{text('pools.counting')}</p>
  const { questions, others, isStale } = matches
  const isFew = questions.length < pool.count
  // Those with other points come first, because publishing waits for them.
  const shown = [...questions].sort((a, b) => Number(others.has(b.id)) - Number(others.has(a.id)))
  return (
    <div class={isStale ? 'pools-found stale' : 'pools-found'}>
      <p role="status" class={isFew || others.size > 0 ? 'pools-warn' : undefined}>
        <Icon name={isFew || others.size > 0 ? 'warning' : 'check'} />
        <span>
          {text('pools.match', { count: questions.length })}
          {others.size > 0 && ` ${text('pools.others', { count: others.size })}`}
        </span>
      </p>
      {questions.length > 0 && (
        <details class="pools-questions">
          <summary>{text('pools.show')}</summary>
          <ul>
            {shown.map(({ id, prompt, points }) => (
              <li key={id}>
                <a href={to(`/questions/${id}`)}>{shortOf(prompt) || text('editor.prompt.empty')}</a>
                <span class={others.has(id) ? 'tag warn' : 'muted small'}>
                  {text('editor.points.count', { count: points })}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
