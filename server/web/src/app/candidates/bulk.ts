// Runs requests for several sessions: one for each, or for each group of them.
import type { Answer, Fault } from '../core/api.ts'

export interface Failure<T> {
  item: T
  fault: Fault
}

export interface Progress<T> {
  done: number
  failures: Failure<T>[]
}

/** Requests at once. */
const parallel = 4

/**
 * runAll calls `act` for each group of `size` items, which returns the outcome of each item of the group, and `report` after each. It waits if the server asks for a pause, and starts nothing more
 * after `signal` has ended the run.
 */
export async function runAll<T, R>(
  items: T[],
  size: number,
  act: (group: T[]) => Promise<Answer<Answer<R>[]>>,
  succeeded: (data: R) => void,
  report: (progress: Progress<T>) => void,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...items]
  const progress: Progress<T> = { done: 0, failures: [] }
  const worker = async () => {
    for (let group = waiting.splice(0, size); group.length > 0; group = waiting.splice(0, size)) {
      const answer = await withRetries(() => act(group), signal)
      if (!answer) return
      group.forEach((item, i) => {
        const outcome = answer.ok ? answer.data[i]! : answer
        if (outcome.ok) succeeded(outcome.data)
        else progress.failures = [...progress.failures, { item, fault: outcome.fault }]
      })
      progress.done += group.length
      report({ ...progress })
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

/** oneByOne makes of a request for one item that for a group of one. */
export function oneByOne<T, R>(act: (item: T) => Promise<Answer<R>>): (group: T[]) => Promise<Answer<Answer<R>[]>> {
  return async ([item]) => {
    const answer = await act(item!)
    return answer.ok ? { ...answer, data: [answer] } : answer
  }
}

/** withRetries repeats a request after the pause that the server asks for. Longer pauses are failures. */
async function withRetries<R>(act: () => Promise<Answer<R>>, signal: AbortSignal): Promise<Answer<R> | undefined> {
  const longest = 30
  for (let attempts = 1; ; attempts++) {
    if (signal.aborted) return undefined
    const answer = await act()
    if (answer.ok) return answer
    const { status, retryAfter = 2 } = answer.fault
    if ((status !== 429 && status !== 503) || retryAfter > longest || attempts === 5) return answer
    await new Promise((done) => setTimeout(done, retryAfter * 1000))
  }
}
