// What the page keeps in the browser: the invite token and the answers, until the end, or until nobody has opened the
// session for 90 days. An answer that was never sent stays.
import { signal } from '@preact/signals'
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
  /** The view of the stage that the candidate saw last, as a fragment. */
  at?: { stage: string; fragment: string }
  /** When the session was open here, in milliseconds. What an earlier version kept has none until it is opened. */
  usedAt?: number
}

/** The answer to a question, as the candidate entered it here. */
export interface KeptAnswer {
  session: string
  question: string
  stage: string
  answer: Answer | null
  /** What the candidate typed, if it is not the answer itself: "0,5" for 0.5, or an unfinished number. */
  typed?: string
  /**
   * Increases with each change made in this browser; see `revision` of AnswerChange. It is at least
   * the server's time of the change in milliseconds. It therefore increases also if the browser has lost
   * an earlier one.
   */
  revision: number
  /** The revision of the server that this browser saw last. */
  seen: number
  pending: boolean
  /** The server's time of the change and of the save, in milliseconds. */
  editedAt: number
  savedAt?: number
  /** Where the question is, and the answer in words, for the list of answers that did not arrive. */
  position?: { stage: number; question: number }
  words?: string
  /** Whether the stage was closed before the answer arrived. */
  missed?: boolean
}

const sessions = 'sessions'
const answers = 'answers'

/** Whether the browser could not keep the latest change. It is then in memory only. */
export const notKept = signal(false)

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
      // Safari can leave the request without an answer.
      setTimeout(done, 3000)
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

// run executes one transaction and returns whether it succeeded. Safari loses its
// connection to the database in the background, hence the second attempt. Without a
// working database, the answers are in memory only.
async function run(
  store: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => void,
  isRepeated = false,
): Promise<boolean> {
  const database = await open()
  const isDone =
    database !== undefined &&
    (await new Promise<boolean>((done) => {
      try {
        const transaction = database.transaction(store, mode)
        transaction.oncomplete = () => done(true)
        transaction.onabort = transaction.onerror = () => done(false)
        work(transaction.objectStore(store))
        // Without this, the browser asks the page before it commits, and the page may be closing.
        transaction.commit()
      } catch {
        done(false)
      }
    }))
  if (isDone || isRepeated) return isDone
  opened = undefined
  return run(store, mode, work, true)
}

async function read<T>(store: string, query?: IDBKeyRange): Promise<T[]> {
  let request: IDBRequest<T[]> | undefined
  const isDone = await run(store, 'readonly', (from) => {
    request = from.getAll(query) as IDBRequest<T[]>
  })
  return isDone ? request!.result : []
}

/** How long a session is kept without being opened, in milliseconds. */
const longest = 90 * 86_400_000

/** keptSessions also removes sessions that are too old. The next call no longer returns them. */
export async function keptSessions(): Promise<KeptSession[]> {
  const all = await read<KeptSession>(sessions)
  for (const session of all) {
    if (session.usedAt! + longest < Date.now()) void forgetSent(session.id)
  }
  return all
}

export async function keepSession(session: KeptSession): Promise<void> {
  await run(sessions, 'readwrite', (store) => store.put({ ...session, usedAt: Date.now() }))
}

export const keptAnswers = (session: string) => read<KeptAnswer>(answers, range(session))

export async function keepAnswer(answer: KeptAnswer): Promise<void> {
  notKept.value = !(await run(answers, 'readwrite', (store) => store.put(answer)))
}

/** forgetSent forgets a session, unless only this browser has an answer of it. */
export async function forgetSent(session: string): Promise<void> {
  if ((await keptAnswers(session)).every(({ pending }) => !pending)) await forget(session)
}

/** forget deletes everything of the session. */
export async function forget(session: string): Promise<void> {
  await run(answers, 'readwrite', (store) => store.delete(range(session)))
  await run(sessions, 'readwrite', (store) => store.delete(session))
}

function range(session: string): IDBKeyRange {
  return IDBKeyRange.bound([session, ''], [session, '\uffff'])
}
