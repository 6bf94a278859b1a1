// Files that the server makes, for example exports as CSV.
import { faultOf, fetchSigned, type Fault } from './api.ts'

/**
 * download reads a path of /v1 and saves the response as a file. It returns why it did not succeed. `onProgress` is called with the
 * bytes so far. Nothing is saved if the connection breaks, or if `signal` ends the download.
 */
export async function download(
  path: string,
  filename: string,
  onProgress?: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<Fault | undefined> {
  try {
    const response = await fetchSigned(path, signal)
    if (!response.ok) return faultOf(response, await response.json().catch(() => undefined))
    save(await read(response, onProgress), filename)
    return undefined
  } catch {
    return signal?.aborted ? undefined : { status: 0 }
  }
}

async function read(response: Response, onProgress?: (bytes: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body!.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    onProgress?.((bytes += value.length))
  }
  const type = response.headers.get('Content-Type') ?? ''
  // Excel takes a file without this mark for Windows-1252.
  const isMarked = parts[0]?.[0] === 0xef
  return new Blob(type.startsWith('text/csv') && !isMarked ? ['\uFEFF', ...parts] : parts, { type })
}

/** save gives the browser a file. */
export function save(content: Blob, filename: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = filename
  link.click()
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
