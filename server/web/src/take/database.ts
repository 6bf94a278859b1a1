// What the page keeps in the browser: the invite token and the answers, until the end.

import type { Schemas } from '../shared/api.ts'

export type Answer = NonNullable<Schemas['AnswerChange']['answer']>

/** A session that was opened in this browser. */
export interface KeptSession {
  id: string
  token: string
  /** The clientId of this browser for PUT /v1/candidate/session/answers. */
  clientId: string
  candidate?: string
  title?: string
  language?: string
  flagged: string[]
  allOnOnePage?: boolean
  clockHidden?: boolean
}

/** The answer to a question, as the candidate entered it here. */
export interface KeptAnswer {
  session: string
  question: string
  stage: string
  answer: Answer | null
  /** What the candidate typed, if it is not the answer itself: "0,5" for 0.5, or an unfinished number. */
  typed?: string
  /** Counts the changes made in this browser; see `revision` of AnswerChange. */
  revision: number
  /** The revision of the server that this browser saw last. */
  seen: number
  pending: boolean
  /** The server's time of the change, in milliseconds. */
  editedAt: number
}

const sessions = 'sessions'
const answers = 'answers'

let opened: Promise<IDBDatabase | undefined> | undefined

function open(): Promise<IDBDatabase | undefined> {
  opened ??= new Promise((done) => {
    try {
      const request = indexedDB.open('assay-take', 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore(sessions, { keyPath: 'id' })
        request.result.createObjectStore(answers, { keyPath: ['session', 'question'] })
      }
      request.onsuccess = () => {
        request.result.onversionchange = () => request.result.close()
        done(request.result)
      }
      request.onerror = () => done(undefined)
      request.onblocked = () => done(undefined)
    } catch {
      done(undefined)
    }
  })
  return opened
}

/** storageWorks reports whether the browser keeps data. Some private windows do not. */
export async function storageWorks(): Promise<boolean> {
  return (await open()) !== undefined
}

// run executes one transaction. Without a working database it does nothing, and the
// answers are in memory only.
async function run<T>(
  store: string, mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  const database = await open()
  if (!database) return undefined
  return new Promise((done) => {
    try {
      const transaction = database.transaction(store, mode)
      const request = work(transaction.objectStore(store))
      transaction.oncomplete = () => done(request.result)
      transaction.onabort = transaction.onerror = () => done(undefined)
    } catch {
      done(undefined)
    }
  })
}

export async function keptSessions(): Promise<KeptSession[]> {
  return (await run<KeptSession[]>(sessions, 'readonly', (store) => store.getAll())) ?? []
}

export async function keepSession(session: KeptSession): Promise<void> {
  await run(sessions, 'readwrite', (store) => store.put(session))
}

export async function keptAnswers(session: string): Promise<KeptAnswer[]> {
  return (await run<KeptAnswer[]>(answers, 'readonly', (store) => store.getAll(range(session)))) ?? []
}

export async function keepAnswer(answer: KeptAnswer): Promise<void> {
  await run(answers, 'readwrite', (store) => store.put(answer))
}

/** forget deletes everything of the session. */
export async function forget(session: string): Promise<void> {
  await run(answers, 'readwrite', (store) => store.delete(range(session)))
  await run(sessions, 'readwrite', (store) => store.delete(session))
}

function range(session: string): IDBKeyRange {
  return IDBKeyRange.bound([session, ''], [session, '\uffff'])
}
