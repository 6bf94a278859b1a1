// The emails that this person has planned in this tab, so that they can be cancelled together until they are sent. They
// are kept where drafts are, whose code the list does not need.
import { drafts as prefix, me } from '../core/session.ts'

export interface Batch {
  id: string
  count: number
  sendAt: string
}

const name = () => `${prefix}${me.value?.id} planned emails`

/** waiting returns those that are not sent yet. */
export function waiting(): Batch[] {
  try {
    const { value } = JSON.parse(sessionStorage.getItem(name()) ?? '{"value":[]}') as { value: Batch[] }
    return value.filter(({ sendAt }) => Date.parse(sendAt) > Date.now())
  } catch {
    return [] // the browser permits no storage
  }
}

export function remember(batches: Batch[]): void {
  try {
    if (batches.length === 0) sessionStorage.removeItem(name())
    else sessionStorage.setItem(name(), JSON.stringify({ at: Date.now(), value: batches }))
  } catch {
    // The pages of the candidates have them, too.
  }
}
