// How reliable the scores of an assessment are: internal consistency, the passing score, and the time.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { AsTable } from '../core/as_table.tsx'
import { number, score } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { to } from '../core/url.ts'
import { bandWords, reliabilityWords, speedWords } from './words.ts'

type Statistics = Schemas['AssessmentStatistics']

export function ReliabilityCard({ id, statistics }: { id: string; statistics: Statistics }) {
  const segment = statistics.segmentId === null ? {} : { segment: statistics.segmentId }
  const { words, figure, isTrouble } = reliabilityWords(statistics.reliability)
  const further = [bandWords(statistics), speedWords(statistics)].filter((sentence) => sentence !== undefined)
  return (
    <section class="card">
      <h2>{text('reliability.title')}</h2>
      <div class={isTrouble ? 'note warn assessment-note' : 'assessment-note'}>
        {isTrouble && <Icon name="warning" />}
        <div>
          <p>{words}</p>
          {figure && <p class="small muted">{figure}</p>}
        </div>
      </div>
      {further.length > 0 && (
        <ul class="verdicts">
          {further.map((sentence) => (
            <li key={sentence.words} class={sentence.isTrouble ? 'warn' : undefined}>
              <Icon name={sentence.isTrouble ? 'warning' : 'info'} />
              <span>
                {sentence.words}
                <span class="small muted block">{sentence.figure}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div class="actions assessment-note">
        {(['report', 'groups', 'cut-score'] as const).map((screen) => (
          <a key={screen} class="button" href={to(`/assessments/${id}/${screen}`, screen === 'report' ? segment : {})}>
            {text(`reliability.${screen}`)}
          </a>
        ))}
      </div>
      <AsTable
        caption={text('reliability.title')}
        columns={[text('reliability.figure'), text('reliability.value')]}
        rows={rowsOf(statistics)}
      />
    </section>
  )
}

function rowsOf({ reliability, scores }: Statistics): string[][] {
  const { alpha, interval, standardError, questionCount, count, resultsNeeded } = reliability
  const range = interval && text('reliability.range', { from: number(interval.from, 2), to: number(interval.to, 2) })
  const points = (value: number | null) =>
    value === null ? '–' : text('reliability.points', { points: number(value, 1) })
  const plain = (value: number | null, digits = 0) => (value === null ? '–' : number(value, digits))
  return [
    [text('reliability.row.results'), number(count)],
    [text('reliability.row.questions'), number(questionCount)],
    [text('reliability.row.alpha'), plain(alpha, 2)],
    [text('reliability.row.interval'), range ?? '–'],
    [text('reliability.row.standardError'), points(standardError)],
    [text('reliability.row.needed'), plain(resultsNeeded)],
    [text('reliability.row.mean'), scores.mean === null ? '–' : score(scores.mean)],
    [text('reliability.row.standardDeviation'), points(scores.standardDeviation)],
    [text('reliability.row.skewness'), plain(scores.skewness, 2)],
  ]
}
