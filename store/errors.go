package store

import (
	"fmt"
	"time"

	"assay/store/rules"
)

// Kind classifies a refusal. The server maps each kind to one HTTP status.
type Kind int

// The kinds of refusal.
const (
	Invalid         Kind = iota + 1 // the input breaks the contract (400)
	Unauthenticated                 // the credential is wrong, expired, or revoked (401)
	Forbidden                       // the credential does not permit this (403)
	NotFound                        // the organization has no such resource (404)
	Conflict                        // the state of the resource forbids it (409)
	Gone                            // the resource existed and has ended (410)
	Changed                         // the resource is not as the request expects (412)
	Unprocessable                   // well-formed, but impossible (422)
	TooMany                         // a quota that empties by itself (429)
	Unavailable                     // temporary: the same request may succeed later (503)
)

// Error is a refusal that the caller is meant to see. Its kind, code, and text
// are declared in this file, and a declared Error never changes. The store has
// one other refusal, *Limited. Other errors are an unavailable database (see
// IsUnavailable), the end of the caller's context, and faults of the service.
type Error struct {
	Kind   Kind
	Code   string // stable code, one of openapi.yaml's ErrorCode
	Detail string // one sentence for a person; never contains a secret
	Fields []rules.Fault
	// ResourceID is the resource that the refusal is about, where the request does not name it; "" for none.
	ResourceID string
	RetryAfter time.Duration // of TooMany
	Ended      *EndedInvite  // of an invite token that was valid once
	Earlier    *History      // of a person who has attempted the assessment before
	Challenge  *Challenge    // of a sign-in that needs the second factor
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Detail) }

func refusal(kind Kind, code, detail string) *Error {
	return &Error{Kind: kind, Code: code, Detail: detail}
}

func fault(pointer, code, detail string) rules.Fault {
	return rules.Fault{Pointer: pointer, Code: code, Detail: detail}
}

// Credentials and roles.
var (
	errUnauthenticated = refusal(Unauthenticated, "unauthenticated",
		"The credential is missing, invalid, or no longer accepted.")
	errInvalidCredentials = refusal(Unauthenticated, "invalid_credentials",
		"The email address or the password is wrong.")
	errInvalidCode = refusal(Unauthenticated, "invalid_code", "The code is wrong.")
	// errSecondFactorRequired gets a challenge before it is returned.
	errSecondFactorRequired = refusal(Unauthenticated, "second_factor_required",
		"The second factor of the person is required.")
	errSSORequired = refusal(Forbidden, "sso_required",
		"The organization requires a sign-in with its own provider.")
	errMemberDeactivated = refusal(Forbidden, "member_deactivated",
		"The identity provider of the organization has deactivated the member.")
	errReauthenticationRequired  = refusal(Forbidden, "reauthentication_required", "Prove your second factor again.")
	errSecondFactorSetupRequired = refusal(Forbidden, "second_factor_setup_required",
		"The organization requires a second factor. Add one to your account.")
	errPasswordSignInRequired = refusal(Forbidden, "password_sign_in_required", "Sign in with your password for this.")
	errTooManySecondFactors   = refusal(Conflict, "too_many_second_factors",
		"The person has reached the limit of 10 second factors.")
	errProviderUntested = refusal(Conflict, "provider_untested",
		"Sign in with the provider once before you require it.")
	errNoRecoveryCodes = refusal(Conflict, "no_recovery_codes", "Create recovery codes before you require the provider.")
	errTooManyDomains  = refusal(Conflict, "too_many_domains",
		"The organization has reached its limit of 20 email domains.")
	errDomainNotProved = refusal(Conflict, "domain_not_proved", "The TXT record was not found.")
	errDomainTaken     = refusal(Conflict, "domain_taken", "Another organization has verified the domain.")
	errNoDomain        = refusal(NotFound, "not_found", "No such email domain.")
	errNoSecondFactor  = refusal(Conflict, "no_second_factor", "The person has no second factor.")
	errNoPasskey       = refusal(Conflict, "no_second_factor", "The person has no passkey.")
	errWrongPassword   = refusal(Unauthenticated, "invalid_credentials",
		"The current password is wrong.").with(fault("/currentPassword", "invalid_value", "is wrong"))
	errWrongOwnPassword = refusal(Unauthenticated, "invalid_credentials",
		"The password is wrong.").with(fault("/password", "invalid_value", "is wrong"))
	errRegistrationClosed = refusal(Forbidden, "registration_closed",
		"This service accepts no registrations.")
	errSetupTokenRequired = refusal(Forbidden, "setup_token_required",
		"The first registration needs the setup token that the service printed at its start.")
	errReviewsNotReadable = refusal(Forbidden, "insufficient_scope",
		"The API key lacks the scope reviews:read, which the filters state and tag need.")
	errEventsNotReadable = refusal(Forbidden, "insufficient_scope",
		"The API key lacks a scope that events of this type need: candidates:read, assessments:read, or reviews:read.")
	errEmailNotConfirmed = refusal(Forbidden, "email_not_confirmed",
		"Confirm your email address first, with the link in the email that you got.")
	errOwnerRequired = refusal(Forbidden, "insufficient_role",
		"This needs the role OWNER.")
)

// Missing resources. Another organization's resource gets the same refusal as
// one that never existed.
var (
	errNoOrganization = notFound("organization")
	errNoLogo         = notFound("logo")
	errNoMedia        = notFound("picture")
	errNoUser         = notFound("person")
	errNoMember       = notFound("member")
	errNoSignIn       = notFound("sign-in")
	errNoFactor       = notFound("second factor")
	errNoConfirmation = notFound("link")
	// errNoUnsubscription is for the page /unsubscribe, which is no operation.
	errNoUnsubscription = notFound("link")
	// errNoRegistration is for the pages /registration, which are no operations.
	errNoRegistration = notFound("link")
	errNoAPIKey       = notFound("API key")
	errNoAssessment   = notFound("assessment")
	errNoSession      = notFound("candidate session")
	errNoStage        = notFound("stage")
	errNoQuestion     = notFound("question")
	errNoClaim        = notFound("claim")
	errNoWebhook      = notFound("webhook endpoint")
	errNoDelivery     = notFound("delivery")
	errNoEvent        = notFound("event")
	errNoCorrection   = notFound("correction")
	errNoRevision     = notFound("revision of a result")
	errNoComment      = notFound("comment")
	errNoReviewEmails = notFound("batch of emails")
	errNoIntegration  = notFound("integration")
	errNoOrder        = notFound("order")
	errNoLegalHold    = notFound("legal hold")
	errNoSegment      = notFound("segment")
)

func notFound(resource string) *Error {
	return refusal(NotFound, "not_found", "There is no such "+resource+".")
}

// Input.
var (
	errInvalid       = refusal(Invalid, "invalid_request", "The request is invalid.")
	errNotAnImage    = errInvalid.with(fault("", "invalid_value", "must be a complete PNG, JPEG, or WebP image"))
	errImageTooLarge = errInvalid.with(fault("", "too_large", "must be at most 1024 pixels wide and 1024 pixels high"))
	errImageTooSlow  = errInvalid.with(fault("", "too_large", "must be a JPEG image with at most 100 scans"))
	errNotAPicture   = errInvalid.with(fault("", "invalid_value",
		"must be a complete PNG, JPEG, or WebP picture, or a GIF without animation"))
	errPictureAnimated = errInvalid.with(fault("", "invalid_value", "must not be animated"))
	errPictureTooLarge = errInvalid.with(fault("", "too_large",
		"must have at most 25 million pixels, or half of that with 16 bits for each color"))
	errPictureTooLong     = errInvalid.with(fault("", "too_large", "must have at most 5 MiB"))
	errPictureTooDetailed = errInvalid.with(fault("", "too_large",
		"takes more than 5 MiB when it is stored; make it smaller, or without transparent parts"))
	errEndInPast    = errInvalid.with(fault("/endsAt", "too_small", "must be in the future"))
	errExpiryInPast = errInvalid.with(fault("/expiresAt", "too_small", "must be in the future"))
	errScopeAlone   = errInvalid.with(fault("/scopes", "invalid_value",
		"can have no other scope beside members:provision, so that a provisioning key reads nothing else"))
	errForeignDomain = errInvalid.with(fault("/userName", "invalid_value",
		"must be in a verified domain of the organization"))
	errAddressFixed = errInvalid.with(fault("/userName", "frozen", "cannot be changed"))
	errExpiryTooFar = errInvalid.with(fault("/expiresAt", "too_large", "must be at most 366 days ahead"))
	errUnknownZone  = errInvalid.with(fault("timeZone", "invalid_value",
		"must be an IANA time zone, such as Europe/Berlin"))
	errUnknownQuestion = errInvalid.with(fault("/questionId", "unknown_id", "is not a question of the assessment"))
	errUnknownStage    = errInvalid.with(fault("/stageId", "unknown_id", "is not a stage of the assessment"))
	errUnknownState    = errInvalid.with(fault("/stateId", "unknown_id", "is not a state of the organization"))
	errArchivedState   = errInvalid.with(fault("/stateId", "invalid_value", "is archived"))
	errEmptyReplaySpan = errInvalid.with(fault("/until", "too_small", "must be after since"))
)

// Cursors.
var (
	errCursorInvalid = refusal(Invalid, "cursor_invalid",
		"The cursor is not one that this list has returned.")
	errCursorExpired = refusal(Invalid, "cursor_expired",
		"Events after the cursor may have been deleted. Read everything again, without a cursor.")
)

// Accounts and members.
var (
	errEmailTaken = refusal(Conflict, "email_taken",
		"An account with this email address already exists.").with(fault("/email", "duplicate", "is taken"))
	errAlreadyMember = refusal(Conflict, "already_member",
		"A member or an invited person has this email address.").with(fault("/email", "duplicate", "is taken"))
	errExternalIDTaken = refusal(Conflict, "already_member",
		"Another member has this external id.").with(fault("/externalId", "duplicate", "is taken"))
	errInvitationAccepted = refusal(Conflict, "invitation_accepted",
		"The person has already accepted the invitation.")
	errInvitationExpired = refusal(Gone, "invitation_expired",
		"The invitation has expired; ask for a new one.")
	errPasswordResetExpired = refusal(Gone, "password_reset_expired",
		"The link has expired; request a new one.")
	errConfirmationExpired = refusal(Gone, "confirmation_expired",
		"The link has expired; ask for a new email.")
	errOrganizationNotEmpty = refusal(Conflict, "organization_not_empty",
		"The organization has other members, invitations, or candidates.")
	errNotADataCursor        = errInvalid.with(fault("/after", "invalid_value", "is not a cursor of this list"))
	errWrongOrganizationName = errInvalid.with(fault("/name", "invalid_value", "must be the name of the organization"))
	errDeletionScheduled     = refusal(Conflict, "organization_deletion_scheduled",
		"The deletion of the organization is scheduled.")
	errEmailNotConfigured = refusal(Conflict, "email_not_configured",
		"This service cannot send email.")
	errLastOwner = refusal(Conflict, "last_owner",
		"The organization would have no OWNER who can sign in.")
)

// Assessments and candidate sessions. refused returns those whose code is a
// constant of package rules.
var (
	errAssessmentNotDraft = refusal(Conflict, rules.AssessmentNotDraft,
		"The assessment is not a draft.")
	errAssessmentFrozen = refusal(Conflict, rules.AssessmentNotDraft,
		"The assessment is not a draft, so the listed fields cannot be changed.")
	errAssessmentNotPublished = refusal(Conflict, rules.AssessmentNotPublished,
		"The assessment is not published.")
	errAssessmentChanged = refusal(Changed, "assessment_changed",
		"The assessment has changed since it was read.")
	errAssessmentIncomplete = refusal(Unprocessable, "assessment_incomplete",
		"The assessment cannot be published until the listed faults are fixed.")

	errAssessmentNotOpen = refusal(Conflict, rules.AssessmentNotOpen,
		"The assessment cannot be started yet.")
	errExpiresBeforeOpening = refusal(Conflict, rules.AssessmentNotOpen,
		"The invite would expire before the assessment opens, so it could never be started.").with(
		fault("/expiresAt", "too_small", "must be after opensAt of the assessment"))
	errAssessmentClosed = refusal(Gone, rules.AssessmentClosed,
		"The assessment can no longer be started.")

	errSessionNotInProgress = refusal(Conflict, rules.SessionNotInProgress,
		"The session is not in progress.")
	errSessionNotInvited = refusal(Conflict, rules.SessionNotInvited,
		"The session is not INVITED or EXPIRED.")
	errNotOpenInvitation = refusal(Conflict, rules.SessionNotInvited,
		"The session is not INVITED.")
	errSessionWithoutDeadline = refusal(Conflict, "session_without_deadline",
		"The session has no deadline.")
	errSessionClosed = refusal(Conflict, rules.SessionClosed,
		"The session has already ended.")
	errInviteExpired = refusal(Gone, rules.InviteExpired,
		"The invitation has expired.")
	errAlreadyInvited = refusal(Conflict, "candidate_already_invited",
		"The candidate has a live session for this assessment")
	errAttemptedBefore = refusal(Conflict, "candidate_attempted_before",
		"The rule of the assessment does not permit another attempt of this candidate, whose earlier session is")
	errStageClosed = refusal(Conflict, "stage_closed",
		"The stage of this question is closed.")
	errStageNotStarted = refusal(Conflict, "stage_not_started",
		"The stage waits for its start; start it first.")
	errAcknowledgementRequired = refusal(Unprocessable, "acknowledgement_required",
		"The candidate must accept the notice of the organization before the start.")
	errSessionNotFinished = refusal(Conflict, rules.SessionNotFinished,
		"The session is not COMPLETED or DISQUALIFIED.")
	errSessionNotInReview = refusal(Conflict, rules.SessionNotInReview,
		"The session does not wait for a decision about this gate.")
	errAnswersNotGraded = refusal(Conflict, "answers_not_graded",
		"Answers of the stage must be graded first.")
	errClaimEnded = refusal(Conflict, "claim_ended",
		"The claim has ended.")
	errUndoTooLate = refusal(Conflict, "undo_too_late",
		"It is too late to undo the grade.")
	errSessionErased = refusal(Conflict, "session_erased",
		"The candidate's data have been erased, so nothing about the session can change.")
	errLegalHold = refusal(Conflict, "legal_hold",
		"A legal hold protects the data from erasure.")
	errTooManyLegalHolds = refusal(Conflict, "too_many_legal_holds",
		"The organization has reached its limit of 1,000 legal holds.")
	errTooManySegments = refusal(Conflict, "too_many_segments",
		"The assessment has reached its limit of 10 segments.")
	errGradeChanged = refusal(Changed, "grade_changed",
		"Somebody else has graded this answer since it was read.")
	errCorrectionWithdrawn = refusal(Conflict, "correction_withdrawn",
		"The correction has been withdrawn, or withdraws another one.")
	errNoLateAnswers = refusal(Conflict, "no_late_answers",
		"The session has no late answers that could be counted.")
	errTooManyCorrections = refusal(Conflict, "too_many_corrections",
		"The assessment has reached its limit of 200 corrections.")
	errStateChanged = refusal(Changed, "state_changed",
		"Somebody else has changed the state of the candidate since it was read.")
	errStatesChanged = refusal(Changed, "states_changed",
		"Somebody else has changed the list of states since it was read.")
	errEmailTextChanged = refusal(Changed, "email_text_changed",
		"Somebody else has changed these words since they were read.")
	errStateInUse = refusal(Conflict, "state_in_use",
		"Candidates are in the state, so it cannot be removed.")
	errCommentNotYours = refusal(Forbidden, "comment_not_yours",
		"The comment is of somebody else.")
	errTooManyComments = refusal(Conflict, "too_many_comments",
		"The session has reached its limit of 200 comments.")
	errTooManyTags = refusal(Conflict, "too_many_tags",
		"The session has reached its limit of 20 tags.")
	errTooManyOrganizationTags = refusal(Conflict, "too_many_organization_tags",
		"The organization has reached its limit of 200 different tags.")
	errTooManyResultLinks = refusal(Conflict, "too_many_result_links",
		"The session has reached its limit of 50 links.")
	errNoResultLink = refusal(NotFound, "not_found",
		"There is no such link.")
	errResultNotFound = refusal(NotFound, "result_not_found",
		"There is no such result.")
	errResultNotReady = refusal(Conflict, "result_not_ready",
		"The session has no result, because it is not COMPLETED or DISQUALIFIED.")
	errResultInReview = refusal(Conflict, "result_in_review",
		"The result waits for a person, who must grade answers or decide about a gate")
)

// errNotConnected is for the addresses of applicant tracking systems, which are no operations.
var errNotConnected = refusal(Forbidden, "insufficient_scope",
	"The organization has not connected this system.")

// The question bank.
var (
	errNoBankQuestion = refusal(NotFound, "not_found",
		"There is no such question.")
	errQuestionInUse = refusal(Conflict, "question_in_use",
		"An assessment has a copy of the question, so it cannot be deleted.")
	errQuestionChanged = refusal(Changed, "question_changed",
		"The question has changed since it was read.")
)

// Webhooks.
var errWebhookDisabled = refusal(Conflict, "webhook_disabled",
	"The webhook endpoint is disabled; enable it first.")

// Quotas of an organization.
var (
	errWebhookQuota = refusal(Conflict, "webhook_quota_exceeded",
		"The organization has reached its limit of webhook endpoints.")
	errAPIKeyQuota = refusal(Conflict, "api_key_quota_exceeded",
		"The organization has reached its limit of API keys.")
	errMemberQuota = refusal(Conflict, "member_quota_exceeded",
		"The organization has reached its limit of members and invitations.")
	errAssessmentQuota = refusal(Conflict, "assessment_quota_exceeded",
		"The organization has reached its limit of assessments.")
	errDefinitionQuota = refusal(Conflict, "definition_quota_exceeded",
		"The assessments of the organization take as much space as they may take.")
	errMediaQuota = refusal(Conflict, "media_quota_exceeded",
		"The pictures of the organization take as much space as they may take.")
	errMediaInUse = refusal(Conflict, "media_in_use",
		"An assessment uses the picture.")
	errQuestionQuota = refusal(Conflict, "question_quota_exceeded",
		"The organization has reached its limit of questions in the bank.")
	errSessionQuota = refusal(Conflict, "session_quota_exceeded",
		"The organization has reached its limit of live sessions.")
	errDeliveryQuota = refusal(TooMany, "delivery_quota_exceeded",
		"The organization has reached its limit of queued deliveries.")
)

// Files of questions. The server reads them.
var (
	ErrFileUnknown = refusal(Unprocessable, "file_not_readable",
		"The format of the file is not recognised. Name it with the parameter format.")
	ErrFileDamaged = refusal(Unprocessable, "file_not_readable",
		"The file is damaged, or does not have the format that it should have.")
	ErrNothingToImport = refusal(Unprocessable, "nothing_to_import",
		"The file has no question that can be imported.")
)

// Idempotency keys.
var (
	errKeyInProgress = refusal(Conflict, "idempotency_in_progress",
		"A request with this Idempotency-Key is still running; try again in a moment.")
	errSecretShown = refusal(Conflict, "secret_already_shown",
		"An earlier request with this Idempotency-Key succeeded, and its secret is shown only once")
	errKeyReused = refusal(Unprocessable, "idempotency_key_reused",
		"This Idempotency-Key was used for a different request.")
	errKeyUnreadable = refusal(Unprocessable, "idempotency_key_reused",
		"This Idempotency-Key was used before, and its stored response cannot be decrypted.")
	errKeyErased = refusal(Unprocessable, "idempotency_key_reused",
		"This Idempotency-Key was used before, and its stored response has been erased.")
)

// Temporary conditions.
var (
	errTooManyHashes = refusal(Unavailable, "unavailable",
		"Too many people are signing in at once; try again in a moment.")
	errTooManyInvites = refusal(Unavailable, "unavailable",
		"Too many requests are inviting this candidate at once; try again.")
	errSessionChanging = refusal(Unavailable, "unavailable",
		"Other requests keep changing this session; try again.")
	// ErrTooManyTests refuses a test event while too many of them are in flight.
	ErrTooManyTests = refusal(Unavailable, "unavailable",
		"Too many test events are being sent at once; try again in a moment.")
	// ErrNothingOutgoing refuses a test event of a service that runs with --no-outgoing.
	ErrNothingOutgoing = refusal(Unavailable, "unavailable",
		"This service sends nothing to other systems: it was started to try a copy of the data.")
	errWriteTooLong = refusal(Unavailable, "unavailable",
		"The database took too long; try again.")
)
