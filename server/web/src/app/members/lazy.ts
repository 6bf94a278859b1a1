// What the screen loads after its list.
import { lazy } from '../core/lazy.ts'

export const Permissions = lazy(async () => (await import('./permissions.tsx')).Permissions)
