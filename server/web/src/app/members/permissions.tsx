// What each role can do. The contract says which role an operation needs; a sentence here stands for several operations.
import roleOf from '../../../../../gen/roles.gen.json'
import { text } from '../../shared/i18n.tsx'
import type { Role } from '../core/roles.ts'
import { nameOfRole } from './role_name.ts'

type Operation = keyof typeof roleOf

/** The operations of each sentence. Each operation is in one, and all operations of a sentence need the same role. */
export const operations = {
  questions: ['listAssessments', 'retrieveAssessment'],
  waiting: [
    'listCandidateSessions',
    'retrieveCandidateSession',
    'retrieveOpenDecision',
    'listCandidateSessionGrades',
  ],
  queue: [
    'retrieveGradingQueue',
    'claimAnswer',
    'saveClaimDraft',
    'gradeClaim',
    'releaseClaim',
    'undoClaim',
  ],
  judge: ['gradeCandidateSessionAnswer', 'ruleCandidateSession'],
  assessments: [
    'listAssessmentChanges',
    'checkAssessment',
    'previewAssessment',
    'retrieveAssessmentStatistics',
    'retrieveAssessmentQuestionStatistics',
    'listAssessmentQuestionAnswers',
    'listAssessmentCorrections',
    'retrieveAssessmentCorrection',
    'exportAssessment',
    'listSegments',
    'retrieveSegmentComparison',
  ],
  readBank: [
    'listQuestions',
    'retrieveQuestion',
    'listQuestionVersions',
    'retrieveQuestionStatistics',
    'listQuestionTags',
  ],
  agreement: ['retrieveGradingAgreement'],
  candidates: [
    'listCandidateSessionChanges',
    'summarizeCandidateSessions',
    'retrieveCandidateHistory',
    'retrieveCandidateSessionTimeline',
    'retrieveCandidateSessionProgress',
    'listLateAnswers',
  ],
  results: [
    'retrieveCandidateSessionResult',
    'retrieveResults',
    'exportCandidateSessions',
    'exportCandidateSpreadsheet',
    'listResultRevisions',
    'retrieveResultRevision',
    'exportResponses',
    'exportCodeBook',
  ],
  cutScore: ['retrieveCutScore', 'retrieveCutScoreRatings', 'replaceCutScoreRatings', 'deleteCutScoreRatings'],
  share: ['listResultLinks', 'createResultLink', 'revokeResultLink'],
  invite: ['createCandidateSession', 'bulkCreateCandidateSessions', 'resendCandidateSession'],
  register: [
    'retrieveAssessmentRegistration',
    'replaceAssessmentRegistration',
    'closeAssessmentRegistration',
  ],
  sessions: [
    'updateCandidateSession',
    'extendCandidateSession',
    'cancelCandidateSession',
    'reopenCandidateSession',
  ],
  grade: ['countLateAnswers'],
  decide: [
    'retrieveReview',
    'changeReviewState',
    'bulkChangeReviewStates',
    'changeReviewTags',
    'replaceReviewRating',
    'deleteReviewRating',
    'createReviewComment',
    'updateReviewComment',
    'deleteReviewComment',
    'previewReviewEmail',
    'cancelReviewEmail',
    'cancelReviewEmails',
  ],
  deliveries: [
    'listWebhooks',
    'retrieveWebhook',
    'retrieveWebhookStatistics',
    'listEventTypes',
    'listEvents',
    'retrieveEvent',
    'listDeliveries',
    'listAllDeliveries',
    'retrieveDelivery',
  ],
  organization: [
    'retrieveOrganization',
    'listMembers',
    'retrieveMember',
    'retrieveOverview',
    'listReviewStates',
    'listReviewTags',
    'listEmailTexts',
  ],
  own: [
    'retrieveMe',
    'updateMe',
    'changePassword',
    'listSignIns',
    'endSignIns',
    'endSignIn',
    'sendEmailConfirmation',
    'confirmEmail',
    'retrieveSecondFactors',
    'createSecondFactor',
    'confirmSecondFactor',
    'deleteSecondFactor',
    'createRecoveryCodes',
    'createReauthenticationOptions',
    'reauthenticate',
    'listMemberships',
    'switchOrganization',
  ],
  notifications: ['retrieveAssessmentNotifications', 'replaceAssessmentNotifications'],
  write: [
    'createAssessment',
    'updateAssessment',
    'publishAssessment',
    'archiveAssessment',
    'duplicateAssessment',
    'importAssessment',
    'deleteAssessment',
    'listMedia',
    'createMedia',
    'retrieveMedia',
    'deleteMedia',
  ],
  bank: ['createQuestion', 'updateQuestion', 'deleteQuestion'],
  words: ['replaceEmailText', 'resetEmailText', 'previewEmailText', 'testEmailText'],
  correct: ['previewAssessmentCorrection', 'createAssessmentCorrection', 'withdrawAssessmentCorrection'],
  segments: ['createSegment', 'deleteSegment'],
  voluntary: ['retrieveSelfIdentification', 'replaceSelfIdentification', 'retrieveGroupStatistics'],
  settings: ['updateOrganization', 'replaceOrganizationLogo', 'deleteOrganizationLogo', 'replaceReviewStates'],
  members: ['createMember', 'updateMember', 'removeMember', 'resendMemberInvitation'],
  keys: ['listApiKeys', 'retrieveApiKey', 'createApiKey', 'revokeApiKey'],
  webhooks: [
    'createWebhook',
    'updateWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
    'testWebhook',
    'replayWebhook',
    'redeliverDelivery',
  ],
  trackingSystems: [
    'listIntegrations',
    'connectIntegration',
    'disconnectIntegration',
    'listIntegrationExchanges',
  ],
  audit: ['listAuditLog', 'exportAuditLog'],
  erase: ['eraseCandidateData', 'eraseCandidateDataByEmail'],
  person: ['retrieveCandidateData', 'renderCandidateDataPage'],
  holds: ['listLegalHolds', 'createLegalHold', 'retrieveLegalHold', 'deleteLegalHold'],
  readSignIn: ['retrieveSignInProvider', 'listSignInDomains'],
  readRetention: ['retrieveRetention', 'previewRetention', 'retrieveAssessmentRetention'],
  retention: ['replaceRetention', 'replaceAssessmentRetention', 'deleteAssessmentRetention'],
  signIn: [
    'replaceSignInProvider',
    'deleteSignInProvider',
    'createSignInDomain',
    'verifySignInDomain',
    'deleteSignInDomain',
    'createSignInRecoveryCodes',
  ],
  leave: ['deleteOrganization', 'scheduleOrganizationDeletion', 'cancelOrganizationDeletion'],
} as const satisfies Record<string, readonly Operation[]>

type Sentence = keyof typeof operations | 'comments' | 'owners'

// What depends on whose comment or whose role it is, and not only on the operation.
const others: Partial<Record<Role, Sentence[]>> = { ADMIN: ['comments'], OWNER: ['owners'] }

const order: Role[] = ['REVIEWER', 'MEMBER', 'EDITOR', 'ADMIN', 'OWNER']

/** Permissions lists what the role can do and the next lower role cannot. */
export function Permissions({ role }: { role: Role }) {
  const before = order[order.indexOf(role) - 1]
  const sentences = (Object.keys(operations) as (keyof typeof operations)[]).filter(
    (sentence) => roleOf[operations[sentence][0]] === role,
  )
  return (
    <div class="members-can small">
      {before && <p>{text('members.can.also', { role: nameOfRole(before) })}</p>}
      <ul>
        {[...sentences, ...(others[role] ?? [])].map((sentence) => (
          <li key={sentence}>{text(`members.can.${sentence}`)}</li>
        ))}
      </ul>
      {role === 'REVIEWER' && <p>{text('members.can.reviewer')}</p>}
      {role === 'MEMBER' && <p>{text('members.can.limited')}</p>}
    </div>
  )
}
