// Reading from the server: the state of a request, and what was read last.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer, Fault } from './api.ts'

export interface Query<T> {
  /** The newest data for the key, or that of the last key while the new one loads. */
  data?: T | undefined
  response?: Response | undefined
  fault?: Fault | undefined
  /** Whether `data` belongs to another key, and will be replaced. */
  isStale: boolean
  reload(): void
  /** Replaces the data, for example with the response of a change. */
  set(data: T): void
}

interface Kept {
  data: unknown
  response: Response
}

// What was read last, so that Back shows a screen at once. It is read again meanwhile.
const kept = new Map<string, Kept>()
const maxKept = 60

/** forget drops what was read whose key begins with the text, because a change made it wrong. */
export function forget(prefix = ''): void {
  for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key)
}

function keep(key: string, value: Kept): void {
  kept.delete(key)
  kept.set(key, value)
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
}

interface Options {
  /** Reads again after so many milliseconds, while the page is visible. */
  every?: number
}

/**
 * useQuery reads what `load` returns, when `key` changes and when the page asks for it. Without a key, it
 * reads nothing. It repeats a request that the server could not answer (503, no connection).
 */
export function useQuery<T>(key: string | undefined, load: () => Promise<Answer<T>>, options: Options = {}): Query<T> {
  const [, update] = useState({})
  const shown = useRef<{ key?: string; data?: T; response?: Response | undefined; fault?: Fault | undefined }>({})
  const latest = useRef(load)
  latest.current = load
  const round = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const read = async (failures = 0): Promise<void> => {
    if (key === undefined) return
    clearTimeout(timer.current)
    const current = ++round.current
    const answer = await latest.current()
    if (current !== round.current) return
    if (answer.ok) {
      keep(key, answer)
      shown.current = { key, data: answer.data, response: answer.response }
    } else {
      const same = shown.current.key === key ? shown.current : {}
      shown.current = { ...same, key, fault: answer.fault }
      const { status, retryAfter } = answer.fault
      const pause = retryAfter ?? (status === 0 || status === 503 ? Math.min(30, 2 ** failures) : undefined)
      if (pause !== undefined) timer.current = setTimeout(() => void read(failures + 1), (pause + Math.random()) * 1000)
    }
    update({})
  }

  const found = key === undefined ? undefined : kept.get(key)
  if (found && shown.current.key !== key) {
    shown.current = { key: key!, data: found.data as T, response: found.response }
  }
  useEffect(() => {
    void read()
    return () => {
      round.current++
      clearTimeout(timer.current)
    }
  }, [key])
  useEffect(() => {
    if (!options.every) return
    const repeat = setInterval(() => document.visibilityState === 'visible' && void read(), options.every)
    return () => clearInterval(repeat)
  }, [key, options.every])

  const { key: of, data, response, fault } = shown.current
  const isStale = of !== key
  return {
    data,
    response,
    fault: isStale ? undefined : fault,
    isStale,
    reload: () => void read(),
    set(next) {
      round.current++ // a response that is on its way is older
      shown.current = { ...shown.current, key: key!, data: next, fault: undefined }
      if (key && shown.current.response) keep(key, { data: next, response: shown.current.response })
      update({})
    },
  }
}
