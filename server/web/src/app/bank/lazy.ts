// Parts of the page of a question that are loaded when they are opened.
import { lazy } from '../core/lazy.ts'

export const QuestionForm = lazy(async () => (await import('./form.tsx')).QuestionForm)
export const Versions = lazy(async () => (await import('./versions.tsx')).Versions)
export const Statistics = lazy(async () => (await import('./statistics.tsx')).Statistics)
