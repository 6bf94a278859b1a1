// The actions of the audit log in groups, for the filter.
import type { Schemas } from '../core/api.ts'

export type Action = Schemas['AuditActionInput']

export const groups = {
  signIns: [
    'SIGNED_IN', 'SIGN_IN_FAILED', 'SIGNED_OUT', 'SIGN_INS_ENDED', 'REFRESH_TOKEN_REUSED', 'ENDED_TOKEN_USED', 'PASSWORD_CHANGED',
    'PASSWORD_CHANGE_FAILED', 'PASSWORD_RESET_REQUESTED', 'PASSWORD_RESET', 'EMAIL_CONFIRMED',
    'ACCESS_REFUSED',
  ],
  organization: [
    'ORGANIZATION_REGISTERED', 'ORGANIZATION_UPDATED', 'INTEGRATION_CONNECTED', 'INTEGRATION_DISCONNECTED',
  ],
  members: [
    'MEMBER_ADDED', 'MEMBER_INVITATION_RENEWED', 'MEMBER_INVITATION_REFUSED', 'MEMBER_JOINED', 'MEMBER_ROLE_CHANGED',
    'MEMBER_REMOVED',
  ],
  apiKeys: ['API_KEY_CREATED', 'API_KEY_FIRST_USED', 'API_KEY_REFUSED', 'API_KEY_REVOKED'],
  webhooks: [
    'WEBHOOK_CREATED', 'WEBHOOK_UPDATED', 'WEBHOOK_TESTED', 'WEBHOOK_SECRET_ROTATED', 'WEBHOOK_REPLAYED', 'WEBHOOK_DELETED',
    'DELIVERY_REDELIVERED',
  ],
  assessments: [
    'ASSESSMENT_CREATED', 'ASSESSMENT_DUPLICATED', 'ASSESSMENT_UPDATED', 'ASSESSMENT_PUBLISHED', 'ASSESSMENT_ARCHIVED',
    'ASSESSMENT_DELETED', 'ASSESSMENT_CORRECTED', 'ASSESSMENT_EXPORTED', 'REGISTRATION_OPENED', 'REGISTRATION_CLOSED', 'MEDIA_CREATED',
    'MEDIA_DELETED',
  ],
  candidates: [
    'SESSION_INVITED', 'SESSIONS_INVITED', 'SESSION_RESENT', 'SESSION_UPDATED', 'SESSION_EXTENDED', 'SESSION_CANCELLED',
    'SESSION_REOPENED', 'ANSWER_GRADED', 'GATE_RULED', 'RESULT_READ', 'RESULT_TOKEN_EXCHANGED', 'RESULT_LINK_CREATED',
    'RESULT_LINK_OPENED', 'RESULT_LINK_REVOKED', 'CANDIDATE_DATA_ERASED',
  ],
  reviews: [
    'REVIEW_STATE_CHANGED', 'REVIEW_COMMENTED', 'REVIEW_COMMENT_UPDATED', 'REVIEW_COMMENT_DELETED', 'REVIEW_STATES_REPLACED',
    'REVIEW_TAGS_CHANGED', 'REVIEW_RATED', 'REVIEW_RATING_DELETED', 'REVIEW_EMAIL_CANCELLED',
  ],
  log: ['SESSIONS_EXPORTED', 'AUDIT_LOG_EXPORTED'],
} as const satisfies Record<string, readonly Action[]>

export type Group = keyof typeof groups

/** Every action is in a group. The build fails if the contract has a new one. */
const all: Exclude<Action, (typeof groups)[Group][number]> extends never ? readonly Action[] : never = Object.values(groups).flat()

export function actionOf(value: string | undefined): Action | undefined {
  return all.find((known) => known === value)
}
