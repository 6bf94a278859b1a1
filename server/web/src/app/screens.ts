// The screens by their addresses. Each has a folder with its code, its texts, and its styles, and is loaded when it is opened.
import { screen } from './core/screen.tsx'
import homeDe from './home/de.json?url'
import type home from './home/en.json'
import homeEn from './home/en.json?url'
import judgingDe from './judging/de.json?url'
import type judging from './judging/en.json'
import judgingEn from './judging/en.json?url'
import assessmentsDe from './assessments/de.json?url'
import type assessments from './assessments/en.json'
import assessmentsEn from './assessments/en.json?url'
import assessmentDe from './assessment/de.json?url'
import type assessment from './assessment/en.json'
import assessmentEn from './assessment/en.json?url'
import bankDe from './bank/de.json?url'
import type bank from './bank/en.json'
import bankEn from './bank/en.json?url'
import candidatesDe from './candidates/de.json?url'
import type candidates from './candidates/en.json'
import candidatesEn from './candidates/en.json?url'
import type companySignIn from './company_sign_in/en.json'
import correctionDe from './correction/de.json?url'
import type correction from './correction/en.json'
import correctionEn from './correction/en.json?url'
import editorDe from './editor/de.json?url'
import type editor from './editor/en.json'
import editorEn from './editor/en.json?url'
import newDe from './new/de.json?url'
import type newAssessment from './new/en.json'
import newEn from './new/en.json?url'
import importDe from './import/de.json?url'
import type exportTexts from './export/en.json'
import type importTexts from './import/en.json'
import importEn from './import/en.json?url'
import candidateDe from './candidate/de.json?url'
import type candidate from './candidate/en.json'
import candidateEn from './candidate/en.json?url'
import compareDe from './compare/de.json?url'
import type compare from './compare/en.json'
import compareEn from './compare/en.json?url'
import type emailTexts from './email-texts/en.json'
import type confirmation from './confirmation/en.json'
import inviteDe from './invite/de.json?url'
import type invite from './invite/en.json'
import inviteEn from './invite/en.json?url'
import gradingDe from './grading/de.json?url'
import type grading from './grading/en.json'
import gradingEn from './grading/en.json?url'
import type gradingRules from './grading_rules/en.json'
import type pools from './pools/en.json'
import type reliability from './reliability/en.json'
import type segments from './segments/en.json'
import type cutScore from './cut_score/en.json'
import type groups from './groups/en.json'
import type report from './report/en.json'
import questionsDe from './questions/de.json?url'
import type questions from './questions/en.json'
import questionsEn from './questions/en.json?url'
import apiKeysDe from './api-keys/de.json?url'
import type apiKeys from './api-keys/en.json'
import apiKeysEn from './api-keys/en.json?url'
import webhooksDe from './webhooks/de.json?url'
import type webhooks from './webhooks/en.json'
import webhooksEn from './webhooks/en.json?url'
import eventsDe from './events/de.json?url'
import type events from './events/en.json'
import eventsEn from './events/en.json?url'
import auditLogDe from './audit-log/de.json?url'
import type auditLog from './audit-log/en.json'
import auditLogEn from './audit-log/en.json?url'
import membersDe from './members/de.json?url'
import type members from './members/en.json'
import membersEn from './members/en.json?url'
import settingsDe from './settings/de.json?url'
import type settings from './settings/en.json'
import settingsEn from './settings/en.json?url'
import protectionDe from './protection/de.json?url'
import type protection from './protection/en.json'
import protectionEn from './protection/en.json?url'
import profileDe from './profile/de.json?url'
import type profile from './profile/en.json'
import profileEn from './profile/en.json?url'

type HomeTexts = typeof home
type JudgingTexts = typeof judging
type AssessmentsTexts = typeof assessments
type AssessmentTexts = typeof assessment
type NewTexts = typeof newAssessment
type ImportTexts = typeof importTexts
/** The texts of the dialog, which loads them itself. */
type ExportTexts = typeof exportTexts
type CandidatesTexts = typeof candidates
type GradingTexts = typeof grading
type GradingRulesTexts = typeof gradingRules
/** The texts of pools, which the editor loads when an assessment has some. */
type PoolsTexts = typeof pools
/** The texts of parts of an assessment's screens, which load them themselves. */
type ReliabilityTexts = typeof reliability
type SegmentsTexts = typeof segments
type CutScoreTexts = typeof cutScore
type GroupsTexts = typeof groups
type ReportTexts = typeof report
type QuestionsTexts = typeof questions
type CorrectionTexts = typeof correction
type EditorTexts = typeof editor
type BankTexts = typeof bank
type CandidateTexts = typeof candidate
type CompareTexts = typeof compare
type EmailTexts = typeof emailTexts
type ConfirmationTexts = typeof confirmation
type InviteTexts = typeof invite
type ApiKeysTexts = typeof apiKeys
type WebhooksTexts = typeof webhooks
type EventsTexts = typeof events
type AuditLogTexts = typeof auditLog
type MembersTexts = typeof members
type SettingsTexts = typeof settings
type CompanySignInTexts = typeof companySignIn
/** The texts of data protection, which other screens load with its parts. */
type ProtectionTexts = typeof protection
type ProfileTexts = typeof profile
declare module '../shared/i18n.tsx' {
  interface Texts
    extends HomeTexts,
      JudgingTexts,
      AssessmentsTexts,
      AssessmentTexts,
      NewTexts,
      ImportTexts,
      ExportTexts,
      CandidatesTexts,
      GradingTexts,
      GradingRulesTexts,
      PoolsTexts,
      ReliabilityTexts,
      SegmentsTexts,
      CutScoreTexts,
      GroupsTexts,
      ReportTexts,
      QuestionsTexts,
      CorrectionTexts,
      EditorTexts,
      BankTexts,
      CandidateTexts,
      CompareTexts,
      EmailTexts,
      ConfirmationTexts,
      InviteTexts,
      ApiKeysTexts,
      WebhooksTexts,
      EventsTexts,
      AuditLogTexts,
      MembersTexts,
      SettingsTexts,
      CompanySignInTexts,
      ProtectionTexts,
      ProfileTexts {}
}

/** screenLater is a screen whose addresses are not in the first load, because few people open it. */
const screenLater = (name: 'report' | 'groups' | 'cutScore' | 'companySignIn') =>
  screen(async () => ({ default: (await import('./rare_screens.ts'))[name] }))

/** The paths are below /app. */
export const screens = {
  '/': screen(
    () => import('./home/home.tsx'),
    { de: homeDe, en: homeEn },
    { de: newDe, en: newEn },
    { de: assessmentDe, en: assessmentEn },
  ),
  '/assessments': screen(
    () => import('./assessments/assessments.tsx'),
    { de: assessmentsDe, en: assessmentsEn },
    { de: assessmentDe, en: assessmentEn },
  ),
  '/assessments/new': screen(() => import('./new/new.tsx'), { de: newDe, en: newEn }),
  '/assessments/import': screen(() => import('./import/import.tsx'), { de: importDe, en: importEn }),
  '/assessments/:id': screen(() => import('./assessment/assessment.tsx'), { de: assessmentDe, en: assessmentEn }),
  '/assessments/:id/candidates': screen(
    () => import('./candidates/of_assessment.tsx'),
    { de: candidatesDe, en: candidatesEn },
    { de: assessmentDe, en: assessmentEn },
  ),
  '/assessments/:id/questions': screen(
    () => import('./questions/questions.tsx'),
    { de: questionsDe, en: questionsEn },
    { de: assessmentDe, en: assessmentEn },
    { de: correctionDe, en: correctionEn },
  ),
  '/assessments/:id/correct': screen(
    () => import('./correction/correct.tsx'),
    { de: correctionDe, en: correctionEn },
    { de: questionsDe, en: questionsEn },
    { de: assessmentDe, en: assessmentEn },
  ),
  '/assessments/:id/corrections': screen(
    () => import('./correction/corrections.tsx'),
    { de: correctionDe, en: correctionEn },
    { de: assessmentDe, en: assessmentEn },
  ),
  '/assessments/:id/grading': screen(
    () => import('./grading/agreement.tsx'),
    { de: gradingDe, en: gradingEn },
    { de: assessmentDe, en: assessmentEn },
  ),
  '/assessments/:id/report': screenLater('report'),
  '/assessments/:id/groups': screenLater('groups'),
  '/assessments/:id/cut-score': screenLater('cutScore'),
  '/assessments/:id/settings': screen(() => import('./assessment/settings.tsx'), { de: assessmentDe, en: assessmentEn }),
  '/assessments/:id/edit': screen(() => import('./editor/editor.tsx'), { de: editorDe, en: editorEn }),
  '/questions': screen(() => import('./bank/list.tsx'), { de: bankDe, en: bankEn }),
  '/questions/:id': screen(
    () => import('./bank/question.tsx'),
    { de: bankDe, en: bankEn },
    { de: editorDe, en: editorEn },
  ),
  '/grading': screen(() => import('./grading/grading.tsx'), { de: gradingDe, en: gradingEn }),
  '/candidates': screen(() => import('./candidates/candidates.tsx'), { de: candidatesDe, en: candidatesEn }),
  '/candidates/:id': screen(() => import('./candidate/candidate.tsx'), { de: candidateDe, en: candidateEn }),
  '/compare': screen(
    () => import('./compare/compare.tsx'),
    { de: compareDe, en: compareEn },
    { de: candidateDe, en: candidateEn },
  ),
  '/invite': screen(() => import('./invite/invite.tsx'), { de: inviteDe, en: inviteEn }),
  '/api-keys': screen(() => import('./api-keys/api_keys.tsx'), { de: apiKeysDe, en: apiKeysEn }),
  '/webhooks': screen(() => import('./webhooks/webhooks.tsx'), { de: webhooksDe, en: webhooksEn }),
  '/webhooks/:id': screen(() => import('./webhooks/endpoint.tsx'), { de: webhooksDe, en: webhooksEn }),
  '/events': screen(
    () => import('./events/events.tsx'),
    { de: eventsDe, en: eventsEn },
    { de: webhooksDe, en: webhooksEn },
  ),
  '/audit-log': screen(() => import('./audit-log/audit_log.tsx'), { de: auditLogDe, en: auditLogEn }),
  '/members': screen(() => import('./members/members.tsx'), { de: membersDe, en: membersEn }),
  '/settings': screen(() => import('./settings/settings.tsx'), { de: settingsDe, en: settingsEn }),
  '/settings/sign-in': screenLater('companySignIn'),
  '/settings/data-protection': screen(
    () => import('./settings/data_protection.tsx'),
    { de: settingsDe, en: settingsEn },
    { de: protectionDe, en: protectionEn },
  ),
  '/profile': screen(() => import('./profile/profile.tsx'), { de: profileDe, en: profileEn }),
}

/** The screens of a reviewer, who sees only what waits. */
export const reviewerScreens = {
  '/': screen(() => import('./judging/home.tsx'), { de: judgingDe, en: judgingEn }, { de: homeDe, en: homeEn }),
  '/candidates/:id': screen(
    () => import('./judging/session.tsx'),
    { de: judgingDe, en: judgingEn },
    { de: candidateDe, en: candidateEn },
  ),
  '/grading': screens['/grading'],
  '/profile': screens['/profile'],
}
