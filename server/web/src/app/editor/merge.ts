// Brings together what two editors have changed since the same saved document.
import { same, type Doc, type Pool, type Question, type Settings, type Stage } from './model.ts'

export type Side = 'mine' | 'theirs'

/** A part that both have changed in different ways. A deleted part is undefined. */
export interface Conflict {
  /** The place of the part, for example "/title", "/s/KEY/gate", "/q/KEY", "/p/KEY", or "/order". */
  place: string
  kind: 'setting' | 'stage' | 'question' | 'pool' | 'order'
  mine: unknown
  theirs: unknown
}

export interface Merged {
  doc: Doc
  conflicts: Conflict[]
}

type Choose = (place: string) => Side

const stageFields = ['title', 'description', 'timeLimitMinutes', 'gate'] as const

/**
 * merge takes each part from the side that has changed it: a setting, a field of a stage, a whole question, a whole
 * pool, the order. If both have, `choose` decides, and the part is a conflict. The documents must have the same keys
 * for the same stages, questions, and pools.
 */
export function merge(base: Doc, mine: Doc, theirs: Doc, choose: Choose = () => 'mine'): Merged {
  const conflicts: Conflict[] = []
  const pick = <T>(place: string, kind: Conflict['kind'], b: T, m: T, t: T): T => {
    if (isSame(m, b)) return t
    if (isSame(t, b) || isSame(m, t)) return m
    conflicts.push({ place, kind, mine: m, theirs: t })
    return choose(place) === 'mine' ? m : t
  }

  const settings = { ...mine.settings } as Record<string, unknown>
  for (const field of Object.keys(mine.settings) as (keyof Settings)[]) {
    settings[field] = pick(`/${field}`, 'setting', base.settings[field], mine.settings[field], theirs.settings[field])
  }
  const stages = mergeStages(base, mine, theirs, pick)
  const questions = mergeItems('question', (stage) => stage.questions, [base, mine, theirs], stages, pick)
  const pools = mergeItems('pool', (stage) => stage.pools, [base, mine, theirs], stages, pick)
  const places = mergeOrder(base, mine, theirs, pick)
  const merged = arrange(places, stages, questions, pools)
  return { doc: { settings: settings as unknown as Settings, stages: merged }, conflicts }
}

/** A question of the bank is the same in each version, because no editor of an assessment decides what it contains. */
function isSame(a: unknown, b: unknown): boolean {
  const bankIdOf = (value: unknown) => (value as Partial<Question> | null | undefined)?.bankQuestionId
  return bankIdOf(a) ? bankIdOf(a) === bankIdOf(b) : same(a, b)
}

type Pick_ = <T>(place: string, kind: Conflict['kind'], b: T, m: T, t: T) => T

const byKey = <T extends { key: string }>(list: T[]) => new Map(list.map((item) => [item.key, item]))

function mergeStages(base: Doc, mine: Doc, theirs: Doc, pick: Pick_): Map<string, Stage> {
  const [b, m, t] = [byKey(base.stages), byKey(mine.stages), byKey(theirs.stages)]
  const kept = new Map<string, Stage>()
  for (const key of new Set([...m.keys(), ...t.keys()])) {
    const [old, own, other] = [b.get(key), m.get(key), t.get(key)]
    // A deleted stage is compared with all its questions, because they are deleted with it.
    const isEverywhere = own && other && old
    const stage = isEverywhere ? mergeStage(key, old, own, other, pick) : pick(`/s/${key}`, 'stage', old, own, other)
    if (stage) kept.set(key, stage)
  }
  return kept
}

function mergeStage(key: string, old: Stage, own: Stage, other: Stage, pick: Pick_): Stage {
  const fields = stageFields.map((field) => {
    const value = pick<unknown>(`/s/${key}/${field}`, 'stage', old[field], own[field], other[field])
    return [field, value]
  })
  return { ...own, ...(Object.fromEntries(fields) as Partial<Stage>) }
}

/** mergeItems merges the questions or the pools of all stages. */
function mergeItems<T extends { key: string }>(
  kind: 'question' | 'pool',
  listOf: (stage: Stage) => T[],
  [base, mine, theirs]: [Doc, Doc, Doc],
  stages: Map<string, Stage>,
  pick: Pick_,
): Map<string, T> {
  const all = (doc: Doc) => byKey(doc.stages.flatMap(listOf))
  const [b, m, t] = [all(base), all(mine), all(theirs)]
  const baseStage = new Map(base.stages.flatMap((stage) => listOf(stage).map((item) => [item.key, stage.key])))
  const mineStages = byKey(mine.stages)
  const theirStages = byKey(theirs.stages)
  const kept = new Map<string, T>()
  for (const key of new Set([...m.keys(), ...t.keys()])) {
    const [old, own, other] = [b.get(key), m.get(key), t.get(key)]
    const stage = baseStage.get(key)
    // What was deleted with its stage follows the decision about the stage.
    const isDeletedWithStage =
      stage !== undefined && ((!own && !mineStages.has(stage)) || (!other && !theirStages.has(stage)))
    const item = isDeletedWithStage
      ? stages.has(stage) ? (own ?? other) : undefined
      : pick(`/${kind[0]}/${key}`, kind, old, own, other)
    if (item) kept.set(key, item)
  }
  return kept
}

/** The keys of the questions, and then of the pools, by the keys of their stages, in their order. */
type Places = [string, string[]][]

const placesOf = (doc: Doc): Places =>
  doc.stages.map(({ key, questions, pools }) => [key, [...questions, ...pools].map(({ key }) => key)])

/** mergeOrder returns the places of all parts of both documents, including deleted parts. */
function mergeOrder(base: Doc, mine: Doc, theirs: Doc, pick: Pick_): Places {
  const [b, m, t] = [placesOf(base), placesOf(mine), placesOf(theirs)]
  const has = (places: Places) => new Set(places.flatMap(([stage, questions]) => [stage, ...questions]))
  const [inBase, inMine, inTheirs] = [has(b), has(m), has(t)]
  const isCommon = (key: string) => inBase.has(key) && inMine.has(key) && inTheirs.has(key)
  const common = (places: Places) =>
    places.map(([stage, questions]) => [isCommon(stage) ? stage : '', questions.filter(isCommon)])
      .filter(([stage, questions]) => stage !== '' || questions!.length > 0)
  const order = pick('/order', 'order', common(b), common(m), common(t))
  const isMine = same(order, common(m)) && !same(common(m), common(t))
  return isMine ? withOthers(m, t) : withOthers(t, m)
}

/** withOthers adds the parts that only the second has, each after the part before it. */
function withOthers(first: Places, second: Places): Places {
  const result: Places = first.map(([stage, questions]) => [stage, [...questions]])
  const known = new Set(first.flatMap(([, questions]) => questions))
  second.forEach(([stage, questions], i) => {
    let place = result.find(([key]) => key === stage)
    if (!place) {
      place = [stage, []]
      const before = second[i - 1]?.[0]
      result.splice(before === undefined ? 0 : result.findIndex(([key]) => key === before) + 1, 0, place)
    }
    questions.forEach((question, j) => {
      if (known.has(question)) return
      const before = j === 0 ? -1 : place[1].indexOf(questions[j - 1]!)
      place[1].splice(j > 0 && before < 0 ? place[1].length : before + 1, 0, question)
    })
  })
  return result
}

/** arrange puts what is kept in its place. A question or pool whose stage is deleted goes to the stage before it. */
function arrange(
  places: Places, stages: Map<string, Stage>, questions: Map<string, Question>, pools: Map<string, Pool>,
): Stage[] {
  const result: Stage[] = []
  let orphans: string[] = []
  const found = <T>(list: Map<string, T>, keys: string[]) => keys.flatMap((key) => list.get(key) ?? [])
  for (const [key, keys] of places) {
    const stage = stages.get(key)
    const all = [...orphans, ...keys]
    orphans = []
    if (stage) result.push({ ...stage, questions: found(questions, all), pools: found(pools, all) })
    else if (result.length > 0) {
      result.at(-1)!.questions.push(...found(questions, all))
      result.at(-1)!.pools.push(...found(pools, all))
    } else orphans = all
  }
  return result
}
