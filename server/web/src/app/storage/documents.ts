// The documents of the editor, in a database of the browser.
import { hasBrowser } from './storage.ts'

export interface Document {
  id: string
  /** The ids of the person and the assessment, with a slash between them. */
  of: string
  at: number
  /** Whether the server does not have the newest change. */
  isDirty: boolean
}

export const name = 'assay.editor'
const table = 'documents'

let database: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  database ??= new Promise((done, fail) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'id' }).createIndex('of', 'of')
    request.onsuccess = () => done(request.result)
    request.onerror = () => fail(request.error)
  })
  return database
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction(table, mode)
  const request = act(transaction.objectStore(table))
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(request.result)
    transaction.onabort = transaction.onerror = () => fail(transaction.error)
  })
}

/** putDocument fails if the browser does not keep it, also after the person has signed out in another tab. */
export async function putDocument(document: Document): Promise<void> {
  await run('readwrite', (store) => {
    if (!hasBrowser()) throw new Error('another person has the browser')
    return store.put(document)
  })
}

export const removeDocument = (id: string) => run('readwrite', (store) => store.delete(id)).catch(() => undefined)

/** documentsOf returns the documents of a person and an assessment. */
export const documentsOf = <T extends Document>(of: string): Promise<T[]> =>
  run<T[]>('readonly', (store) => store.index('of').getAll(of)).catch(() => [])

/** allDocuments makes no database if there is none. */
export async function allDocuments(): Promise<Document[]> {
  try {
    const isMade = database !== undefined || (await indexedDB.databases()).some((made) => made.name === name)
    return isMade ? await run<Document[]>('readonly', (store) => store.getAll()) : []
  } catch {
    return []
  }
}
