// The requests of the import. The preview is the same operation as the import itself, with dryRun.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ask, v1, type Answer, type Fault } from '../core/api.ts'
import type { Choices, Imported, Source } from './contract.ts'

interface More {
  /** The title of the draft. Without it, the source decides. */
  title?: string
  /** For Idempotency-Key. Without it, nothing is stored. */
  key?: string
  signal?: AbortSignal
}

/** sendSource imports a source, or, without a key, returns only what an import would create. */
export function sendSource(source: Source, choices: Choices, { title, key, signal }: More): Promise<Answer<Imported>> {
  const { format, language, columns } = choices
  const query = {
    ...(!key && { dryRun: true }),
    ...(format !== 'AUTO' && { format }),
    ...(source.name && { fileName: source.name.slice(-255) }),
    ...(title && { title }),
    ...(language && { language }),
    ...(columns && { columns }),
  }
  const body = source.file ?? new Blob([source.text])
  return ask(
    v1.POST('/v1/assessments/import', {
      params: { query, ...(key && { header: { 'Idempotency-Key': key } }) },
      headers: { 'Content-Type': 'application/octet-stream' },
      body: body as unknown as string, // the contract's type of a file is a string
      bodySerializer: (content) => content,
      querySerializer: { array: { style: 'form', explode: false } },
      ...(signal && { signal }),
    }),
  )
}

export interface Preview {
  /** The newest response. It is older than the source while isReading. */
  imported?: Imported | undefined
  fault?: Fault | undefined
  isReading: boolean
  retry(): void
}

/** The pauses after the last key before a request, in milliseconds, by the characters of the text. */
const pauses = { short: 250, long: 700, longFrom: 50_000 }

/** The seconds before a request is repeated that the server could not answer. */
const repeats = [2, 5, 15, 30]

interface State {
  /** What the response or the fault is about. */
  of?: object | undefined
  imported?: Imported | undefined
  fault?: Fault | undefined
}

/**
 * usePreview asks what an import would create, after each change of the source. A request about an earlier text is
 * aborted, so the response is always about the newest one.
 */
export function usePreview({ text, name, file }: Source, choices: Choices, isPermitted = true): Preview {
  const [state, setState] = useState<State>({})
  const [repeat, setRepeat] = useState(0)
  const failures = useRef(0)
  const isRepeated = useRef(false)
  const isEmpty = !isPermitted || (!file && text.trim() === '')
  const of = useMemo(() => ({}), [text, name, file, choices])
  const again = () => {
    isRepeated.current = true
    setRepeat((count) => count + 1)
  }

  useEffect(() => {
    if (isEmpty) return setState({})
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const read = async () => {
      const answer = await sendSource({ text, name, file }, choices, { signal: stop.signal })
      if (stop.signal.aborted) return
      if (answer.ok) {
        failures.current = 0
        return setState({ of, imported: answer.data })
      }
      const seconds = secondsUntilNext(answer.fault, failures.current++)
      // Of a source that the server refuses, there is no result, and that of an earlier one would mislead.
      setState(({ imported }) => ({ of, fault: answer.fault, imported: seconds === undefined ? undefined : imported }))
      if (seconds !== undefined) timer = setTimeout(again, seconds * 1000)
    }
    const isAtOnce = file !== undefined || isRepeated.current
    isRepeated.current = false
    timer = setTimeout(() => void read(), isAtOnce ? 0 : text.length > pauses.longFrom ? pauses.long : pauses.short)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [of, isEmpty, repeat])

  const { imported, fault } = isEmpty ? {} : state
  return { imported, fault, isReading: !isEmpty && state.of !== of, retry: again }
}

/** secondsUntilNext returns when the same request can succeed, or undefined if a person must change something. */
function secondsUntilNext({ status, retryAfter }: Fault, failures: number): number | undefined {
  if (retryAfter !== undefined) return retryAfter
  return status === 0 || status === 429 || status === 503 ? repeats[Math.min(failures, repeats.length - 1)] : undefined
}
