// What the saver needs: from the browser, and from the page.
import type { Outcome, Schemas } from '../shared/api.ts'
import type { Answer, KeptAnswer } from './database.ts'

type Stage = Schemas['CurrentStage']
export type Saving = Outcome<Schemas['SavedAnswers']>
export type Submission = Outcome<Schemas['StageOutcome']>

/** What the saver needs from the page. */
export interface SaverPage {
  session: string
  clientId: string
  /** The server said that the stage or session is not what the page shows. */
  surprised(): Promise<void>
  deadline(at: string | null): void
}

/** What the saver needs from the browser. Times are in milliseconds. */
export interface Environment {
  clock: {
    now(): number
    /** The server's time. */
    serverNow(): number
    /** Runs something later, and returns a function that cancels it. */
    later(act: () => void, milliseconds: number): () => void
  }
  network: {
    save(body: Schemas['AnswersSave'], timeout: number, keepalive: boolean): Promise<Saving>
    submit(body: Schemas['StageSubmit']): Promise<Submission>
  }
  storage: {
    read(session: string): Promise<KeptAnswer[]>
    keep(answer: KeptAnswer): void
  }
  /** Whether another tab works on the session. It keeps newer answers then. */
  isReadOnly(): boolean
  /** An answer as text. */
  inWords(question: Stage['questions'][number], answer: Answer | null): string
}
