// The person who is signed in.
import { signal } from '@preact/signals'
import type { Schemas } from '../../shared/api.ts'

/** The person, with the organization. It stays while the sign-in is ended. */
export const me = signal<Schemas['Me'] | undefined>(undefined)
