// The field for the points of a criterion, or of an answer without a rubric.
import { useContext } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { number } from '../core/figures.ts'
import { Errors, TextField } from '../core/forms.tsx'
import { hasChoices, type Criterion } from './marks.ts'

interface Props {
  criterion: Criterion
  pointer: string
  mark: string
  change(mark: string): void
  /** Whether the points are typed, which permits half points. */
  isTyped: boolean
}

export function PointsField({ criterion, pointer, mark, change, isTyped }: Props) {
  const { title, points, description } = criterion
  const label = title || text('candidate.grade.points')
  if (hasChoices(criterion) && !isTyped) {
    return <Choices {...{ criterion, pointer, mark, change, label }} />
  }
  const range = text('candidate.grade.range', { max: number(points, 2) })
  return (
    <TextField
      label={label}
      hint={description ? `${description} ${range}` : range}
      pointer={pointer}
      value={mark}
      change={change}
    />
  )
}

/** Choices has a radio button for each whole number. Arrows move between them, and a digit chooses one. */
function Choices({ criterion, pointer, mark, change, label }: Omit<Props, 'isTyped'> & { label: string }) {
  const error = useContext(Errors)[pointer]
  const id = `field${pointer.replaceAll(/[^\w]+/g, '-')}`
  const { points, description } = criterion
  const described = [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const press = (event: KeyboardEvent) => {
    if (!/^\d$/.test(event.key) || Number(event.key) > points || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    change(event.key)
    const radio = event.currentTarget as HTMLElement
    radio.querySelector<HTMLElement>(`input[value="${event.key}"]`)?.focus()
  }
  return (
    <fieldset class="form-row points-field" role="radiogroup" aria-invalid={error !== undefined} aria-describedby={described} tabIndex={-1} onKeyDown={press}>
      <legend>
        {label} <span class="muted">{text('decision.grade.max', { max: number(points, 2), count: points })}</span>
      </legend>
      {description && (
        <p id={`${id}-hint`} class="hint">
          {description}
        </p>
      )}
      <div class="points-choices">
        {Array.from({ length: points + 1 }, (_, value) => (
          <label key={value}>
            <input type="radio" name={id} value={value} checked={mark === String(value)} onChange={() => change(String(value))} />
            <span>{number(value)}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </fieldset>
  )
}
