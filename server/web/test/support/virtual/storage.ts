// What a browser keeps, for tests without one: as much of IndexedDB and of sessionStorage as the candidate page uses.

type Key = string | string[]
interface Range {
  lower: Key
  upper: Key
}

interface Store {
  keyPath: Key
  rows: Map<string, unknown>
}

const later = (act: () => void) => void Promise.resolve().then(act)
const text = (key: unknown) => JSON.stringify(key)
const isIn = (key: string, query: unknown) => {
  const range = query as Partial<Range> | undefined
  if (range?.lower === undefined) return range === undefined || key === text(range)
  return key >= text(range.lower) && key <= text(range.upper)
}

/** A database that outlives the pages that open it. */
export class VirtualDatabase {
  private stores = new Map<string, Store>()

  open() {
    const request: Record<string, unknown> = { result: this.connection() }
    later(() => {
      if (this.stores.size === 0) (request.onupgradeneeded as () => void)()
      ;(request.onsuccess as () => void)()
    })
    return request
  }

  private connection() {
    return {
      createObjectStore: (name: string, { keyPath }: { keyPath: Key }) =>
        this.stores.set(name, { keyPath, rows: new Map() }),
      close: () => {},
      transaction: (name: string) => {
        const { keyPath, rows } = this.stores.get(name)!
        const transaction = {
          oncomplete: () => {},
          commit: () => later(() => later(() => transaction.oncomplete())),
          objectStore: () => ({
            put(row: Record<string, unknown>) {
              const key = Array.isArray(keyPath) ? keyPath.map((part) => row[part]) : row[keyPath]
              rows.set(text(key), structuredClone(row))
            },
            delete(query: unknown) {
              for (const key of rows.keys()) if (isIn(key, query)) rows.delete(key)
            },
            getAll(query: unknown) {
              const found = [...rows].filter(([key]) => isIn(key, query)).map(([, row]) => structuredClone(row))
              return { result: found }
            },
          }),
        }
        return transaction
      },
    }
  }
}

export const keyRange = { bound: (lower: Key, upper: Key): Range => ({ lower, upper }) }

export function newSessionStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}
