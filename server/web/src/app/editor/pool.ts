// Pools of stages. Commands return a new document, as those of model.ts do.
import {
  inserted, moved, newKey, setStage, stageOf, withStage, type Doc, type Pool,
} from './model.ts'

export const newPool = (): Pool => ({ key: newKey(), title: '', count: 1, tags: [], points: 1, questionCount: null })

export function poolOf(doc: Doc, key: string): Pool | undefined {
  return stageOf(doc, key)?.pools.find((pool) => pool.key === key)
}

export function setPool(doc: Doc, key: string, change: Partial<Pool>): Doc {
  const stage = stageOf(doc, key)
  if (!stage) return doc
  const pools = stage.pools.map((pool) => (pool.key === key ? { ...pool, ...change } : pool))
  return setStage(doc, stage.key, { pools })
}

export function insertPool(doc: Doc, stageKey: string, index: number, pool: Pool): Doc {
  return withStage(doc, stageKey, (stage) => ({ ...stage, pools: inserted(stage.pools, index, [pool]) }))
}

export function deletePool(doc: Doc, key: string): Doc {
  const stage = stageOf(doc, key)
  return stage ? setStage(doc, stage.key, { pools: stage.pools.filter((pool) => pool.key !== key) }) : doc
}

/** movePool moves a pool by one place. At the end of its stage, it goes to the next stage. */
export function movePool(doc: Doc, key: string, by: 1 | -1): Doc {
  const stage = stageOf(doc, key)
  const pool = poolOf(doc, key)
  if (!stage || !pool) return doc
  const index = stage.pools.indexOf(pool)
  const pools = moved(stage.pools, index, index + by)
  if (pools !== stage.pools) return setStage(doc, stage.key, { pools })
  const other = doc.stages[doc.stages.indexOf(stage) + by]
  return other ? insertPool(deletePool(doc, key), other.key, by === 1 ? 0 : other.pools.length, pool) : doc
}

/** placePool moves a pool beside another one, or to the beginning of a stage. */
export function placePool(doc: Doc, key: string, target: string, isAfter: boolean): Doc {
  const pool = poolOf(doc, key)
  if (!pool || target === key) return doc
  const rest = deletePool(doc, key)
  const stage = stageOf(rest, target)
  if (!stage) return rest.stages.some((one) => one.key === target) ? insertPool(rest, target, 0, pool) : doc
  const index = stage.pools.findIndex((other) => other.key === target) + Number(isAfter)
  return insertPool(rest, stage.key, index, pool)
}
