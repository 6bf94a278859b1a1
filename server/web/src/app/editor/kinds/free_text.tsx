// A question that candidates answer in their own words, and people grade.
import { text } from '../../../shared/i18n.tsx'
import { Icon } from '../../core/icons.tsx'
import { addCriterion, moveCriterion, removeCriterion } from '../actions.ts'
import { startDrag } from '../drag.ts'
import { faultTextsAt } from '../fault_texts.ts'
import { idOf, NumberField, TextField } from '../fields.tsx'
import { atOnce } from '../focus.ts'
import { limits, pointsOf, type Criterion, type Question } from '../model.ts'
import { RowButtons } from '../row_buttons.tsx'
import { isUneven, placeCriterion, setCriterion } from '../rubric.ts'
import type { FieldEditor } from '../state.ts'
import type { Kind, KeyProps } from './kind.ts'

export const freeText: Kind = { Key, explanation: 'editor.goodAnswer' }

function Key({ editor, question, change, at }: KeyProps) {
  return (
    <>
      <NumberField
        editor={editor}
        place={at('maxWords')}
        label={text('editor.maxWords')}
        hint={text('editor.maxWords.hint')}
        isOptional
        min={1}
        max={10_000}
        isInteger
        unit={text('editor.words')}
        value={question.maxWords}
        change={(maxWords) => change({ maxWords }, 'maxWords', true)}
      />
      <Rubric {...{ editor, question, change }} />
    </>
  )
}

function Rubric({ editor, question, change }: Pick<KeyProps, 'editor' | 'question' | 'change'>) {
  const { key, rubric } = question
  const place = `/q/${key}/rubric`
  return (
    <fieldset class="editor-rubric" aria-describedby={`${idOf(place)}-hint`}>
      <legend>
        {text('editor.rubric')} <span class="muted optional">{text('form.optional')}</span>
      </legend>
      <p id={`${idOf(place)}-hint`} class="hint">
        {text('editor.rubric.hint')}
      </p>
      <ol data-place={place} data-scrolls>
        {rubric.map((criterion, index) => (
          <Row key={criterion.id} {...{ editor, question, criterion }} number={index + 1} />
        ))}
      </ol>
      {rubric.length > 0 && <Sum question={question} setPoints={(points) => change({ points }, 'points')} />}
      {rubric.length < limits.criteria && (
        <button
          type="button"
          class="button quiet small"
          data-place={`/q/${key}/addCriterion`}
          onClick={() => addCriterion(editor, key)}
        >
          <Icon name="plus" />
          {text('editor.criterion.add')}
        </button>
      )}
    </fieldset>
  )
}

/** Sum compares the points at once. The server says only after it has saved that they differ. */
function Sum({ question, setPoints }: { question: Question; setPoints(points: number): void }) {
  const { rubric, points } = question
  const sum = pointsOf(rubric)
  const values = { sum: text('editor.points.count', { count: sum }), points: text('editor.points.count', { count: points }) }
  if (!isUneven(question)) return <p class="hint editor-sum">{text('editor.rubric.sum', values)}</p>
  return (
    <p class="error editor-sum" role="status">
      <span>{text('editor.rubric.uneven', values)}</span>{' '}
      {sum <= 1000 && (
        <button type="button" class="link-button" onClick={() => setPoints(sum)}>
          {text('editor.rubric.adopt', values)}
        </button>
      )}
    </p>
  )
}

interface RowProps {
  editor: FieldEditor
  question: Question
  criterion: Criterion
  number: number
}

function Row({ editor, question, criterion, number }: RowProps) {
  const { key, rubric } = question
  const { id } = criterion
  const place = `/q/${key}/rubric/${id}`
  const doc = () => editor.doc.peek()
  const change = (fields: Partial<Criterion>, field: keyof Criterion) =>
    editor.change(setCriterion(doc(), key, id, fields), `${place}/${field}`, true)
  const drop = (target: string, isAfter: boolean) => {
    const to = rubric.filter((other) => other.id !== id).findIndex((other) => other.id === target) + Number(isAfter)
    editor.change(placeCriterion(doc(), key, id, to), `${place}/title`)
  }
  const press = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const isTitle = (event.target as HTMLElement).dataset.place === `${place}/title`
    if (event.key === 'Enter' && (event.target as HTMLElement).matches('input')) {
      event.preventDefault()
      atOnce(editor, () => addCriterion(editor, key, id))
    } else if (event.key === 'Backspace' && isTitle && criterion.title === '' && criterion.description === '') {
      event.preventDefault()
      atOnce(editor, () => removeCriterion(editor, key, id))
    }
  }
  return (
    <li data-drop={id} onKeyDown={press}>
      <div class="editor-criterion" role="group" aria-label={text('editor.criterion.number', { number })}>
        <span
          class="grip"
          aria-hidden="true"
          onPointerDown={(event) => startDrag(event, { rows: '.editor-rubric li', drop })}
        >
          <Icon name="grip" />
        </span>
        <TextField
          editor={editor}
          place={`${place}/title`}
          label={text('editor.criterion.number', { number })}
          placeholder={text('editor.criterion.number', { number })}
          isLabelUnseen
          maxLength={200}
          value={criterion.title}
          change={(title) => change({ title }, 'title')}
        />
        <NumberField
          editor={editor}
          place={`${place}/points`}
          label={text('editor.criterion.points', { number })}
          isLabelUnseen
          min={0}
          max={1000}
          isRequired
          unit={text('editor.criterion.unit')}
          value={criterion.points}
          change={(points) => change({ points: points ?? 0 }, 'points')}
        />
        <RowButtons
          names={{
            up: text('editor.criterion.up', { number }),
            down: text('editor.criterion.down', { number }),
            remove: text('editor.criterion.delete', { number }),
          }}
          isFirst={number === 1}
          isLast={number === rubric.length}
          up={() => moveCriterion(editor, key, id, -1)}
          down={() => moveCriterion(editor, key, id, 1)}
          remove={() => removeCriterion(editor, key, id)}
          place={place}
        />
        <TextField
          editor={editor}
          place={`${place}/description`}
          label={text('editor.criterion.description', { number })}
          placeholder={text('editor.criterion.when')}
          isLabelUnseen
          rows={1}
          maxLength={2000}
          value={criterion.description}
          change={(description) => change({ description }, 'description')}
        />
      </div>
    </li>
  )
}
