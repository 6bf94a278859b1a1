// The criteria of an answer, each with a field for its points and a button for each possible value.
import type { RefObject } from 'preact'
import { text } from '../../shared/i18n.tsx'
import { number } from '../core/figures.ts'
import { choicesOf, readPoints, typedOf, type Criterion, type Entry } from './points.ts'

interface Props {
  criteria: Criterion[]
  entry: Entry
  change(entry: Entry): void
  isReadOnly: boolean
  /** The criteria whose points are missing or wrong, after an attempt to save. */
  isChecked: boolean
  list: RefObject<HTMLOListElement | null>
}

/** fieldsOf returns the fields of the criteria, in their order. */
export const fieldsOf = (list: HTMLElement | null) => [...(list?.querySelectorAll('input') ?? [])]

export function Rubric({ criteria, list, ...given }: Props) {
  return (
    <ol class="grading-criteria" ref={list}>
      {criteria.map((criterion, index) => (
        <Row key={criterion.id} criterion={criterion} index={index} {...given} />
      ))}
    </ol>
  )
}

type RowProps = Omit<Props, 'criteria' | 'list'> & { criterion: Criterion; index: number }

function Row({ criterion, index, entry, change, isReadOnly, isChecked }: RowProps) {
  const { id, title, points: most, description } = criterion
  const typed = entry.points[id] ?? ''
  const points = readPoints(typed, most)
  const isWrong = points === undefined ? isChecked : Number.isNaN(points)
  const field = `grading-${index}`
  const put = (value: string) => change({ ...entry, points: { ...entry.points, [id]: value } })
  const notes = [description && `${field}-about`, isWrong && `${field}-error`].filter(Boolean).join(' ')
  return (
    <li>
      <div class="grading-criterion">
        <label for={field}>
          <span dir="auto">{title || text('grading.criterion.whole')}</span>{' '}
          <span class="unseen">{text('grading.criterion.most', { points: number(most, 2), count: most })}</span>
        </label>
        <span class="grading-field">
          <input
            id={field}
            class="field"
            value={typed}
            inputMode="decimal"
            autocomplete="off"
            maxLength={7}
            readOnly={isReadOnly}
            aria-invalid={isWrong}
            aria-describedby={notes || undefined}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => put(event.currentTarget.value)}
          />
          <span aria-hidden="true">/ {number(most, 2)}</span>
        </span>
      </div>
      {description && (
        <p class="small muted grading-about" id={`${field}-about`} dir="auto">
          {description}
        </p>
      )}
      <div class="grading-choices">
        {choicesOf(most).map((choice) => (
          // The field does the same with the keyboard, and is before it in the order of the focus.
          <button
            key={choice}
            type="button"
            tabIndex={-1}
            aria-label={text('grading.criterion.give', {
              points: number(choice, 2),
              count: choice,
              criterion: title || text('grading.criterion.whole'),
            })}
            aria-pressed={points === choice}
            onClick={() => !isReadOnly && put(typedOf(choice))}
          >
            {number(choice, 2)}
          </button>
        ))}
      </div>
      {isWrong && (
        <p class="error" id={`${field}-error`}>
          {points === undefined ? text('grading.criterion.missing') : text('grading.criterion.range', { points: number(most, 2) })}
        </p>
      )}
    </li>
  )
}
