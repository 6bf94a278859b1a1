// What a person has entered about a correction. The tab keeps it, so that neither a look at a candidate nor a reload loses it.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { keep as keepDraft, kept as keptDraft } from '../core/drafts.ts'
import { quantity } from '../core/figures.ts'
import { newKey } from '../core/keys.ts'
import { keyOf, type TypedKey } from './keys.ts'

export type Question = Schemas['Question']
export type Action = Schemas['CorrectionActionInput']
export type Body = Schemas['AssessmentCorrectionCreate']
export type Effect = Schemas['CorrectionEffect']
export type Given = Schemas['GivenAnswer']

export interface Draft extends TypedKey {
  action: Action
  policy: Schemas['CorrectionPolicyInput']
  reason: string
  /** The Idempotency-Key, so that a correction that is sent twice is one. */
  idempotencyKey: string
}

/** actionsOf returns the corrections that the question permits. Without a key, none can be replaced. */
export function actionsOf(question: Question): Action[] {
  return keyOf(question) ? ['ACCEPT_ALSO', 'REPLACE_KEY', 'FULL_POINTS', 'EXCLUDE'] : ['FULL_POINTS', 'EXCLUDE']
}

export function newDraft(question: Question): Draft {
  return {
    action: actionsOf(question)[0]!,
    policy: 'NEVER_LOWER',
    reason: '',
    options: [],
    number: '',
    tolerance: question.tolerance ? quantity(question.tolerance) : '',
    texts: '',
    idempotencyKey: newKey(),
  }
}

/** draftFrom accepts an answer that a candidate has given. */
export function draftFrom(question: Question, given: Given, words: string): Draft {
  return {
    ...newDraft(question),
    options: given.optionIds ?? (given.optionId ? [given.optionId] : []),
    number: given.number === undefined ? '' : quantity(given.number),
    texts: given.text ?? '',
    reason: text('correction.reason.accept', { answer: words }).slice(0, maxReason),
  }
}

export const maxReason = 500

const placeOf = (questionId: string) => `correction ${questionId}`

export const keep = (questionId: string, draft: Draft | undefined): void => keepDraft(placeOf(questionId), draft)

export function kept(question: Question): Draft | undefined {
  const draft = keptDraft<Partial<Draft>>(placeOf(question.id))
  return draft && { ...newDraft(question), ...draft }
}

export const needsKey = (action: Action) => action === 'REPLACE_KEY' || action === 'ACCEPT_ALSO'

/** faultsOf returns what the person must still enter, by JSON Pointer. */
export function faultsOf(question: Question, draft: Draft): Record<string, string> {
  const faults: Record<string, string> = {}
  if (draft.reason.trim() === '') faults['/reason'] = text('correction.reason.missing')
  if (!needsKey(draft.action)) return faults
  return { ...faults, ...keyOf(question)?.faults(draft) }
}

/** bodyOf is the request for a draft without faults. */
export function bodyOf(question: Question, draft: Draft): Body {
  const { action, policy, reason } = draft
  return {
    questionId: question.id,
    action,
    policy,
    reason: reason.trim(),
    ...(needsKey(action) && { key: keyOf(question)?.key(draft) }),
  }
}

let previewed: { of: string; answer: Answer<Effect> } | undefined

/** preview asks what a correction would change. The next step shows the answer without asking again. */
export async function preview(id: string, body: Body): Promise<Answer<Effect>> {
  const of = previewKey(id, body)
  if (previewed?.of === of) return previewed.answer
  const answer = await ask(v1.POST('/v1/assessments/{id}/correction-preview', { params: { path: { id } }, body }))
  previewed = answer.ok ? { of, answer } : undefined
  return answer
}

export const previewKey = (id: string, body: Body) => `/v1/assessments/${id}/correction-preview ${JSON.stringify(body)}`

/** forgetPreview makes the next preview a new one. */
export function forgetPreview(): void {
  previewed = undefined
}
