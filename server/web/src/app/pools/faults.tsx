// What prevents publishing at a pool.
import { text } from '../../shared/i18n.tsx'
import { to } from '../core/url.ts'
import { faultText } from '../editor/fault_texts.ts'
import type { Pool, Stage } from '../editor/model.ts'
import { parsePlace } from '../editor/places.ts'
import type { Editor } from '../editor/state.ts'

export interface StageProps {
  editor: Editor
  stage: Stage
}

export interface PoolProps extends StageProps {
  pool: Pool
  /** The position among the pools of the stage, from 1. */
  position: number
}

/** PoolFaults are the faults of a pool, with links to the questions of the bank that cause them. */
export function PoolFaults({ editor, poolKey, only }: { editor: Editor; poolKey: string; only?: string }) {
  const found = (editor.faults.value ?? []).filter(({ place }) => {
    const { kind, key, field } = parsePlace(place)
    return kind === 'pool' && key === poolKey && (only === undefined || field === only)
  })
  if (found.length === 0) return null
  return (
    <ul class="pools-faults">
      {found.map((fault) => (
        <li key={`${fault.place} ${fault.detail}`} class="error">
          {faultText(fault)}
          {(fault.detail.match(/\bqbk_\w+/g) ?? []).map((id, index) => (
            <a key={id} href={to(`/questions/${id}`)} onClick={(event) => event.stopPropagation()}>
              {text('pools.fault.question', { number: index + 1 })}
            </a>
          ))}
        </li>
      ))}
    </ul>
  )
}
