import { lazy } from '../core/lazy.ts'

export const CompanyError = lazy(async () => (await import('./entry.ts')).error())
export const CompanyForm = lazy(async () => (await import('./entry.ts')).form())
export const CompanySignIn = lazy(async () => (await import('./entry.ts')).signIn())
