// The answers that did not reach the server before their stage was closed.
import { signal } from '@preact/signals'
import { keptAnswers, type KeptSession } from './database.ts'
import { fitting, maxRows, rowOf, type Entry } from './entry.ts'
import { entries, saver } from './saving.ts'
import { inTab, keepInTab } from './tab.ts'

/** An answer that had not arrived when its stage was closed. */
interface NotArrived {
  /** The order of the stage, and of the question in it. */
  stage: number
  question: number
  /** The answer in words. Empty if the candidate had cleared it. */
  answer: string
  /** The server's time of the change, in milliseconds. */
  editedAt: number
}

/** How often an answer is sent alone before it counts as one that does not arrive. */
const maxTries = 3

/** The answers that did not arrive, for the end page. */
export const notArrived = signal<NotArrived[]>([])

/**
 * settle asks what became of unsent answers of closed stages: all stages except `openStage`.
 * It returns false if the server did not answer. A response that was lost is the reason to
 * ask: the answer can have arrived.
 */
export function settle(session: KeptSession, openStage?: string): Promise<boolean> {
  if (asking && asking.openStage === openStage) return asking.outcome
  const before = asking?.outcome ?? Promise.resolve()
  const mine = { openStage, outcome: before.then(() => settleAll(session, openStage)) }
  asking = mine
  return mine.outcome.finally(() => {
    if (asking === mine) asking = undefined
  })
}

// The question that is not answered yet. One at a time is enough, and the page asks for the session every few seconds.
let asking: { openStage: string | undefined; outcome: Promise<boolean> } | undefined

async function settleAll({ id: session, clientId }: KeptSession, openStage?: string): Promise<boolean> {
  entries.value = saver.newest(session, await keptAnswers(session))
  let tries = 0
  for (let limit = maxRows; ; ) {
    const closed = [...entries.value.values()].filter(({ stage }) => stage !== openStage)
    const stageId = closed.find(({ pending }) => pending)?.stage
    if (stageId === undefined) {
      list(session, closed)
      return true
    }
    const rows = fitting(closed.filter(({ stage, pending }) => pending && stage === stageId).map(rowOf), limit)
    const outcome = await saver.submit(stageId, clientId, rows, [])
    if (outcome.kind === 'unavailable') {
      // If the server answers without an answer, the answer is the reason, and the organization learns of it.
      const isCertain = rows.length === 1 && ++tries === maxTries
      const undelivered = isCertain ? rows.map(({ questionId }) => questionId) : []
      const probe = await saver.submit(stageId, clientId, [], undelivered)
      if (probe.kind === 'unavailable') {
        list(session, closed)
        return false
      }
      limit = 1
      if (!isCertain) continue
    }
    tries = 0
    for (const { questionId } of rows) {
      const entry = entries.value.get(questionId)
      if (entry?.pending) saver.change({ ...entry, pending: false, missed: true })
    }
  }
}

// list takes the answers that did not arrive, and the answers without a response.
function list(session: string, closed: Entry[]): void {
  const lost = closed
    .filter(({ missed, pending }) => missed || pending)
    .map(({ position = { stage: 0, question: 0 }, words = '', editedAt }) => ({ ...position, answer: words, editedAt }))
    .sort((a, b) => a.stage - b.stage || a.question - b.question)
  if (lost.length > 0) notArrived.value = lost
  else notArrived.value = JSON.parse(inTab(listKey(session)) ?? '[]') as NotArrived[]
}

const listKey = (session: string) => `assay-not-arrived-${session}` as const

/**
 * forgetAnswers empties the memory, so that a late response keeps nothing. The list of answers
 * that did not arrive stays in this tab, for a reload of the end page.
 */
export function forgetAnswers(session: string): void {
  saver.closeStage()
  entries.value = new Map()
  const list = notArrived.value
  if (list.length > 0) keepInTab(listKey(session), JSON.stringify(list))
}
