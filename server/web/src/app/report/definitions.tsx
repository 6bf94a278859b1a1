// How each figure is defined, with its source.
import { text } from '../../shared/i18n.tsx'

const definitions = [
  'quantiles',
  'difficulty',
  'discrimination',
  'alpha',
  'error',
  'option',
  'time',
  'rates',
  'ratio',
  'cut',
] as const

export function Definitions() {
  return (
    <section class="card">
      <h2>{text('report.definitions')}</h2>
      <ul class="report-definitions small">
        {definitions.map((definition) => (
          <li key={definition}>{text(`report.definition.${definition}`)}</li>
        ))}
      </ul>
    </section>
  )
}
