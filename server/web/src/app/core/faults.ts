// What the server says about the fields of a form.
import { language, text, type Key } from '../../shared/i18n.tsx'
import type { Fault, Schemas } from './api.ts'
import { isKnown } from './texts.ts'

/** hasText reports whether the page has a text for a key that the code makes from a value of the contract. */
export function hasText(key: string): key is Key {
  return key in language.value.messages || isKnown(key)
}

/** fieldFaults returns the texts of the errors of a refusal, by JSON Pointer. */
export function fieldFaults(fault: Fault | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  const { code, errors = [] } = fault?.problem ?? {}
  // This code says more than that of the field.
  const own = code === 'assessment_not_open' ? text('problem.assessment_not_open') : undefined
  for (const error of errors) found[error.pointer] ??= own ?? fieldFault(error)
  return found
}

/** fieldFault is the text of one error of a field. */
export function fieldFault(error: Pick<Schemas['FieldError'], 'code' | 'detail'>): string {
  const key = `field.${error.code}`
  return hasText(key) ? text(key) : error.detail
}
