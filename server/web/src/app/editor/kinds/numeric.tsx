// A question whose answer is a number.
import { text } from '../../../shared/i18n.tsx'
import { quantity } from '../../core/figures.ts'
import { NumberField } from '../fields.tsx'
import type { Kind, KeyProps } from './kind.ts'

const maxNumber = 1_000_000_000_000_000

export const numeric: Kind = { Key }

function Key({ editor, question: { answer, tolerance }, change, at }: KeyProps) {
  return (
    <>
      <div class="columns">
        <NumberField
          editor={editor}
          place={at('answer')}
          label={text('editor.answer')}
          min={-maxNumber}
          max={maxNumber}
          value={answer}
          change={(answer) => change({ answer }, 'answer', true)}
        />
        <NumberField
          editor={editor}
          place={at('tolerance')}
          label={text('editor.tolerance')}
          min={0}
          max={maxNumber}
          isRequired
          value={tolerance}
          change={(tolerance) => change({ tolerance: tolerance ?? 0 }, 'tolerance', true)}
        />
      </div>
      {answer !== null && tolerance > 0 && (
        <p class="hint">
          {text('editor.tolerance.range', { from: quantity(answer - tolerance), to: quantity(answer + tolerance) })}
        </p>
      )}
    </>
  )
}
