// The form of the stage that is being edited.
import { text } from '../../shared/i18n.tsx'
import { score as shown } from '../core/figures.ts'
import { removeStage, stepStage } from './actions.ts'
import { faultTextsAt } from './fault_texts.ts'
import { Check, idOf, NumberField, TextField } from './fields.tsx'
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
          change={(isOn) => change({ gate: isOn ? { required: true, minScore: 50 } : null }, 'gate')}
        />
        {gate && (
          <GateFields
            editor={editor}
            gate={gate}
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

type Gate = NonNullable<Stage['gate']>
interface GateProps {
  editor: Editor
  gate: Gate
  at(field: string): string
  change(gate: Gate, isTyping: boolean): void
}

function GateFields({ editor, gate, at, change }: GateProps) {
  const score = shown(gate.minScore)
  return (
    <div class="editor-gate">
      <NumberField
        editor={editor}
        place={at('gate/minScore')}
        label={text('editor.gate.score')}
        min={0}
        max={100}
        decimals={2}
        isRequired
        unit="%"
        value={gate.minScore}
        change={(minScore) => change({ ...gate, minScore: minScore ?? 0 }, true)}
      />
      {([true, false] as const).map((required) => (
        <label key={String(required)} class="tick">
          <input
            type="radio"
            name={idOf(at('gate'))}
            data-place={at(`gate/${required ? 'stops' : 'reports'}`)}
            checked={gate.required === required}
            onChange={() => change({ ...gate, required }, false)}
          />
          <span>{text(required ? 'editor.gate.stops' : 'editor.gate.reports', { score })}</span>
        </label>
      ))}
    </div>
  )
}
