// Why an email was not sent, in the reader's language.
import { text } from '../../shared/i18n.tsx'
import { hasText } from '../core/faults.ts'

interface Failed {
  failure: string | null
  failureCode: string | null
}

/** emailFailure adds the reply of a mail server, which begins with its code and says more than the reason. */
export function emailFailure({ failure, failureCode }: Failed) {
  const key = `candidate.email.reason.${failureCode}`
  if (!hasText(key)) return failure
  return /^\d/.test(failure!) ? `${text(key)} ${failure}` : text(key)
}
