// The fields of a gate: its pass mark, and what a lower score causes.
import { text } from '../../shared/i18n.tsx'
import { faultTextsAt } from './fault_texts.ts'
import { idOf, NumberField } from './fields.tsx'
import { gateText } from './gate.ts'
import type { Gate, OnFail } from './model.ts'
import type { Editor } from './state.ts'

/**
 * The gate of a stage that gets one. It stops candidates by itself, because a pass mark is expected to apply without
 * further work: with REVIEW, candidates of an organization in which nobody decides would wait forever.
 */
export const newGate: Gate = { minScore: 50, onFail: 'DISQUALIFY' }

/** The outcomes, with the text that says when one is needed. */
const outcomes: Record<OnFail, 'editor.gate.review' | undefined> = {
  DISQUALIFY: undefined,
  CONTINUE: undefined,
  REVIEW: 'editor.gate.review',
}

interface Props {
  editor: Editor
  gate: Gate
  /** Whether people grade a question of the stage. */
  isGraded: boolean
  at(field: string): string
  change(gate: Gate, isTyping: boolean): void
}

export function GateFields({ editor, gate, isGraded, at, change }: Props) {
  const name = idOf(at('gate/onFail'))
  const fault = faultTextsAt(editor, at('gate/onFail'))
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
      <fieldset aria-describedby={fault && `${name}-error`}>
        <legend>{text('editor.gate.onFail')}</legend>
        {(Object.keys(outcomes) as OnFail[]).map((onFail) => (
          <label key={onFail} class="tick">
            <input
              type="radio"
              name={name}
              data-place={at(`gate/${onFail}`)}
              checked={gate.onFail === onFail}
              onChange={() => change({ ...gate, onFail }, false)}
            />
            <span>
              {text(`editor.gate.${onFail}`)}
              <span class="hint">{gateText({ ...gate, onFail })}</span>
              {outcomes[onFail] && <span class="hint">{text(outcomes[onFail])}</span>}
            </span>
          </label>
        ))}
        {fault && (
          <p id={`${name}-error`} class="error">
            {fault}
          </p>
        )}
      </fieldset>
      {isGraded && gate.onFail !== 'CONTINUE' && <p class="hint">{text('editor.gate.graded')}</p>}
    </div>
  )
}
