// Each stage with the bars of all candidates on one scale.
import { text } from '../../shared/i18n.tsx'
import { Bar } from '../candidate/bars.tsx'
import { score } from '../core/figures.ts'
import { gateWords, isBelow } from '../core/verdict.ts'
import type { Finished } from './rows.ts'

export function Stages({ group }: { group: Finished[] }) {
  const { stages } = group[0]!.result
  return (
    <section class="card">
      <h2>{text('compare.stages')}</h2>
      <p class="muted">{text('compare.stages.text')}</p>
      <div class="compare-stages">
        {stages.map(({ id, title, gate }) => (
          <div key={id}>
            <h3>
              {title}{' '}
              <span class="small muted">
                {gate
                  ? text(gateText(gate), { gate: score(gate.minScore) })
                  : text('candidate.stage.noGate')}
              </span>
            </h3>
            <ul>
              {group.map((row) => (
                <Line key={row.id} row={row} stageId={id} />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}

function Line({ row, stageId }: { row: Finished; stageId: string }) {
  const stage = row.result.stages.find(({ id }) => id === stageId)
  if (!stage) return null
  return (
    <li>
      <span class="compare-name" translate={false}>{row.label}</span>
      <Bar value={stage.score} mark={stage.gate?.minScore} isBelow={isBelow(stage)} />
      <b>{stage.score === null ? '–' : score(stage.score)}</b>
      <span class="small muted">{stage.gate || stage.score === null ? gateWords(stage) : ''}</span>
    </li>
  )
}

function gateText({ required, onFail }: NonNullable<Finished['result']['stages'][number]['gate']>) {
  if (onFail === 'REVIEW') return 'compare.gate.review'
  return required ? 'compare.gate' : 'compare.gate.reported'
}
