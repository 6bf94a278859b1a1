// The options of a question, with the key beside each one.
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { addOption, removeOption, stepOption } from './actions.ts'
import { startDrag } from './drag.ts'
import { faultTextsAt } from './fault_texts.ts'
import { idOf } from './fields.tsx'
import { atOnce } from './focus.ts'
import { limits, moveOption, setCorrect, setOption, type Option, type Question } from './model.ts'
import { Pictures } from './pictures.tsx'
import { RowButtons } from './row_buttons.tsx'
import type { FieldEditor } from './state.ts'

export function Options({ editor, question }: { editor: FieldEditor; question: Question }) {
  const { key, options } = question
  const place = `/q/${key}/options`
  const fault = faultTextsAt(editor, place)
  const isSingle = question.type === 'SINGLE_CHOICE'
  return (
    <fieldset class="editor-options" aria-describedby={fault && `${idOf(place)}-error`}>
      <legend>
        {text('editor.options')}{' '}
        <span class="muted optional">{text(isSingle ? 'editor.options.single' : 'editor.options.multiple')}</span>
      </legend>
      <ul data-place={place} data-scrolls>
        {options.map((option, index) => (
          <OptionRow key={option.id} editor={editor} question={question} option={option} index={index} />
        ))}
      </ul>
      {fault && (
        <p id={`${idOf(place)}-error`} class="error">
          {fault}
        </p>
      )}
      {options.length < limits.options && (
        <button
          type="button"
          class="button quiet small"
          data-place={`/q/${key}/addOption`}
          onClick={() => addOption(editor, key)}
        >
          <Icon name="plus" />
          {text('editor.options.add')}
        </button>
      )}
    </fieldset>
  )
}

interface RowProps {
  editor: FieldEditor
  question: Question
  option: Option
  index: number
}

function OptionRow({ editor, question, option, index }: RowProps) {
  const { key, options, correct } = question
  const isSingle = question.type === 'SINGLE_CHOICE'
  const place = `/q/${key}/options/${option.id}`
  const fault = faultTextsAt(editor, place)
  const isCorrect = isSingle ? correct[0] === option.id : correct.includes(option.id)
  const number = index + 1
  const doc = () => editor.doc.peek()
  const drop = (target: string, isAfter: boolean) => {
    const others = options.filter(({ id }) => id !== option.id)
    const to = others.findIndex(({ id }) => id === target) + Number(isAfter)
    editor.change(moveOption(doc(), key, option.id, to), place)
  }
  const press = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      atOnce(editor, () => addOption(editor, key, option.id))
    } else if (event.key === 'Backspace' && option.text === '' && options.length > 1) {
      event.preventDefault()
      atOnce(editor, () => removeOption(editor, key, option.id))
    }
  }
  return (
    <li data-drop={option.id}>
      <div class={isCorrect ? 'editor-option correct' : 'editor-option'}>
        <span
          class="grip"
          aria-hidden="true"
          onPointerDown={(event) => startDrag(event, { rows: '.editor-options li', drop })}
        >
          <Icon name="grip" />
        </span>
        <label class="box" title={text('editor.options.isCorrect')}>
          <span class="unseen">{text('editor.options.correct', { number })}</span>
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name={isSingle ? `key-${key}` : undefined}
            checked={isCorrect}
            onChange={(event) => editor.change(setCorrect(doc(), key, option.id, event.currentTarget.checked), place)}
          />
        </label>
        <input
          class="field small"
          data-place={place}
          aria-label={text('editor.options.text', { number })}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={fault && `${idOf(place)}-error`}
          placeholder={text('editor.options.text', { number })}
          maxLength={2000}
          autocomplete="off"
          value={option.text}
          onInput={(event) => editor.change(setOption(doc(), key, option.id, event.currentTarget.value), place, true)}
          onKeyDown={press}
        />
        <Pictures place={place} source={option.text} isSmall />
        <RowButtons
          names={{
            up: text('editor.options.up', { number }),
            down: text('editor.options.down', { number }),
            remove: text('editor.options.delete', { number }),
          }}
          isFirst={number === 1}
          isLast={number === options.length}
          isOnly={options.length === 1}
          up={() => stepOption(editor, key, option.id, -1)}
          down={() => stepOption(editor, key, option.id, 1)}
          remove={() => removeOption(editor, key, option.id)}
          place={place}
        />
      </div>
      {fault && (
        <p id={`${idOf(place)}-error`} class="error">
          {fault}
        </p>
      )}
    </li>
  )
}
