import { text } from '../../shared/i18n.tsx'
import type { Fault } from '../core/api.ts'

/** passkeyFault says why the browser made or used no passkey. */
export function passkeyFault(error: unknown): Fault {
  const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
  const detail = text(isKnown ? 'secondFactor.passkey.known' : 'secondFactor.passkey.cancelled')
  return { status: 400, problem: { code: 'passkey', detail, errors: [] } }
}
