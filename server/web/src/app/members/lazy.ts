// What the screen loads after its list.
import { lazy } from '../core/lazy.ts'

export const AccessChoice = lazy(async () => (await import('./access.tsx')).AccessChoice)
export const AccessDialog = lazy(async () => (await import('./access.tsx')).AccessDialog)
export const Permissions = lazy(async () => (await import('./permissions.tsx')).Permissions)
