// The states that an organization gives to its candidates.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from './api.ts'

type State = Pick<Schemas['ReviewState'], 'id' | 'name'>

/** The names of the states with which an organization begins. */
const names: Record<string, string> = { new: 'New', shortlisted: 'Shortlisted', rejected: 'Rejected', hired: 'Hired' }

/** stateName is the name of a state. One that the organization has not renamed is in the language of the reader. */
export function stateName({ id, name }: State): string {
  return names[id] === name ? text(`reviewState.${id as 'new'}`) : name
}
