// The form of the stage that is being edited.
import { text } from '../../shared/i18n.tsx'
import { removeStage, stepStage } from './actions.ts'
import { faultTextsAt } from './fault_texts.ts'
import { Check, idOf, NumberField, TextField } from './fields.tsx'
import { GateFields, newGate } from './gate_fields.tsx'
import { setStage, type Stage } from './model.ts'
import { Preview } from './preview.tsx'
import type { Editor } from './state.ts'
import { Tool } from './tool.tsx'

export function StageForm({ editor, stage, position }: { editor: Editor; stage: Stage; position: number }) {
  const { key, gate } = stage
  const at = (field: string) => `/s/${key}/${field}`
  const change = (fields: Partial<Stage>, field: string, isTyping = false) =>
    editor.change(setStage(editor.doc.peek(), key, fields), at(field), isTyping)
  const gateFault = faultTextsAt(editor, at('gate'))
  return (
    <section class="editor-form" data-key={key} aria-label={text('editor.stage.number', { number: position })}>
      <header class="editor-form-head">
        <h2>{text('editor.stage.number', { number: position })}</h2>
        <span class="grow" />
        <Tool icon="up" place={at('up')} label={text('editor.stage.up')} act={() => stepStage(editor, key, -1)} />
        <Tool icon="down" place={at('down')} label={text('editor.stage.down')} act={() => stepStage(editor, key, 1)} />
        <Tool icon="trash" label={text('editor.stage.delete')} act={() => removeStage(editor, stage)} />
      </header>
      <TextField
        editor={editor}
        place={at('title')}
        label={text('editor.stage.title')}
        maxLength={200}
        value={stage.title}
        change={(title) => change({ title }, 'title', true)}
      />
      <TextField
        editor={editor}
        place={at('description')}
        label={text('editor.stage.description')}
        hint={text('editor.stage.description.hint')}
        isOptional
        rows={2}
        maxLength={10_000}
        value={stage.description}
        change={(description) => change({ description }, 'description', true)}
      />
      <Preview editor={editor} place={at('description')} source={stage.description} />
      <NumberField
        editor={editor}
        place={at('timeLimitMinutes')}
        label={text('editor.stage.limit')}
        hint={text('editor.stage.limit.hint')}
        isOptional
        min={1}
        max={10_080}
        isInteger
        unit={text('editor.minutes')}
        value={stage.timeLimitMinutes}
        change={(timeLimitMinutes) => change({ timeLimitMinutes }, 'timeLimitMinutes', true)}
      />
      <fieldset data-place={at('gate')} aria-describedby={gateFault && `${idOf(at('gate'))}-error`}>
        <legend>{text('editor.gate')}</legend>
        <Check
          place={at('gate/on')}
          label={text('editor.gate.on')}
          hint={text('editor.gate.hint')}
          isChecked={gate !== null}
          change={(isOn) => change({ gate: isOn ? newGate : null }, 'gate')}
        />
        {gate && (
          <GateFields
            editor={editor}
            gate={gate}
            isGraded={stage.questions.some(({ type }) => type === 'FREE_TEXT')}
            at={at}
            change={(gate, isTyping) => change({ gate }, 'gate', isTyping)}
          />
        )}
        {gateFault && (
          <p id={`${idOf(at('gate'))}-error`} class="error">
            {gateFault}
          </p>
        )}
      </fieldset>
    </section>
  )
}
