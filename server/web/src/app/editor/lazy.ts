// Parts of the editor that are loaded when they are opened, because most visits do not need them.
import { lazy } from '../core/lazy.ts'

const question = () => import('./question.tsx')
export const QuestionForm = lazy(async () => (await question()).QuestionForm)
/** preload loads what the first press in a draft needs. */
export function preload(): void {
  question().catch(() => undefined) // the press on the button reports it
}
export const SettingsPart = lazy(async () => (await import('./settings.tsx')).SettingsPart)
export const StageForm = lazy(async () => (await import('./stage_form.tsx')).StageForm)
export const PublishDialog = lazy(async () => (await import('./publish.tsx')).PublishDialog)
export const ConflictDialog = lazy(async () => (await import('./conflict.tsx')).ConflictDialog)
export const Paper = lazy(async () => (await import('./paper.tsx')).Paper)
export const PasteDialog = lazy(async () => (await import('./paste.tsx')).PasteDialog)
