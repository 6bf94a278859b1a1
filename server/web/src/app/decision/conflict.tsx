// Two grades of one answer beside each other: a colleague was faster.
import { rich, text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { marksOf, pointsOf, type Criterion, type Marks } from './marks.ts'

interface Props {
  criteria: Criterion[]
  /** What this person has entered. */
  own: { marks: Marks; sum: number; comment: string }
  /** The grade of the colleague. */
  grade: Schemas['AnswerGrade']
  keepOwn(): void
  keepOther(): void
}

export function Conflict({ criteria, own, grade, keepOwn, keepOther }: Props) {
  const other = marksOf(criteria, grade)
  const rows = criteria
    .filter(({ id }) => id !== '')
    .map((one) => [one.title, shown(own.marks[one.id], one), shown(other[one.id], one)] as const)
  return (
    <div class="note warn grade-conflict" role="group" aria-label={text('decision.conflict.title')}>
      <p>
        {rich('decision.conflict.text', { name: grade.createdBy.name ?? '–', when: <When at={grade.createdAt} isRelative /> })}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{text('decision.conflict.title')}</th>
            <th scope="col">{text('decision.conflict.own')}</th>
            <th scope="col">{text('decision.conflict.other')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, mine, theirs]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>{mine}</td>
              <td>{theirs}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{text('candidate.grade.points')}</th>
            <td>
              <b>{number(own.sum, 2)}</b>
            </td>
            <td>
              <b>{grade.points === null ? '–' : number(grade.points, 2)}</b>
            </td>
          </tr>
          {(own.comment || grade.comment) && (
            <tr>
              <th scope="row">{text('decision.grade.comment')}</th>
              <td dir="auto" translate={false}>{own.comment || '–'}</td>
              <td dir="auto" translate={false}>{grade.comment || '–'}</td>
            </tr>
          )}
        </tbody>
      </table>
      <p class="go">
        <button type="button" class="button small" onClick={keepOther}>
          {text('decision.conflict.keepOther')}
        </button>
        <button type="button" class="button small" onClick={keepOwn}>
          {text('decision.conflict.keepOwn')}
        </button>
      </p>
    </div>
  )
}

function shown(mark: string | undefined, criterion: Criterion): string {
  const points = pointsOf(mark, criterion)
  return points === undefined ? '–' : number(points, 2)
}
