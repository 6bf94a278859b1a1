// Why an email was not sent, in the reader's language.
import { text } from '../../shared/i18n.tsx'
import { hasText } from '../core/faults.ts'

/** The reply of a mail server begins with its code. It says more than the reason, so both are shown. */
const reply = /^\d{3} /

export function emailFailure({ failure, failureCode }: { failure: string | null; failureCode: string | null }): string {
  const key = `candidate.email.reason.${failureCode}`
  if (!failureCode || !hasText(key)) return failure ?? ''
  return failure && reply.test(failure) ? `${text(key)} ${failure}` : text(key)
}

/** isAboutAddress reports whether another address can help. */
export function isAboutAddress({ failureCode }: { failureCode: string | null }): boolean {
  return !failureCode || failureCode === 'recipient_refused'
}
