// The emails that this person has planned in this tab, so that they can be cancelled together until they are sent.
import { get, put } from '../storage/storage.ts'

export interface Batch {
  id: string
  count: number
  sendAt: string
}

/** waiting returns the emails that are not sent yet. The pages of the candidates show them, too. */
export const waiting = () => (get<Batch[]>('planned') ?? []).filter(({ sendAt }) => Date.parse(sendAt) > Date.now())

export const remember = (batches: Batch[]) => put('planned', batches.length > 0 ? batches : undefined)
