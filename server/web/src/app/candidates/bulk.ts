// Runs one request for each of several sessions.
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
 * runAll calls `act` for each item, and `report` after each. It waits if the server asks for a pause, and starts nothing more
 * after `signal` has ended the run.
 */
export async function runAll<T, R>(
  items: T[],
  act: (item: T) => Promise<Answer<R>>,
  succeeded: (data: R) => void,
  report: (progress: Progress<T>) => void,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...items]
  const progress: Progress<T> = { done: 0, failures: [] }
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const answer = await patiently(() => act(item), signal)
      if (!answer) return
      if (answer.ok) succeeded(answer.data)
      else progress.failures = [...progress.failures, { item, fault: answer.fault }]
      progress.done++
      report({ ...progress })
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

/** patiently repeats a request after the pause that the server asks for. Longer pauses are failures. */
async function patiently<R>(act: () => Promise<Answer<R>>, signal: AbortSignal): Promise<Answer<R> | undefined> {
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
