package store

import (
	"context"
	"fmt"
	"time"
)

// EmailContent is everything that an email says, read when it is sent.
type EmailContent struct {
	ID           string
	Kind         EmailKind
	ToName       string
	ToAddress    string
	Organization Organization // the sender
	Locale       string       // BCP 47; "" for none
	TimeZone     string       // IANA; "" for UTC
	// UnsubscribeURL accepts a one-click request (RFC 8058); "" for emails that cannot be ended.
	UnsubscribeURL string
	// StopURL ends all emails of the organization to candidates at the address, and accepts the same request; "" for
	// emails to members.
	StopURL string

	// Own are words of the organization for this kind, in all languages. The first ones for the language of the email
	// replace the default words.
	Own []EmailText

	Invite   *InviteContent   // of INVITE and REMINDER
	Decision *DecisionContent // of REOPENED, GATE_PASSED, and RESULT_CORRECTED
	Written  *WrittenContent  // of DECISION
	Finished *FinishedContent // of FINISHED
	Waiting  *WaitingContent  // of WAITING
	Account  *AccountContent  // of the emails about accounts
	Webhook  *WebhookContent  // of WEBHOOK_DISABLED

	Registration *RegistrationContent // of REGISTRATION
}

// withStop adds the links with which a candidate ends all emails of the organization.
func (c *EmailContent) withStop(s *Store) *EmailContent {
	c.StopURL = s.unsubscribeAllURL(c.Organization.ID, c.ToAddress, c.Locale)
	c.UnsubscribeURL = c.StopURL
	return c
}

// InviteContent is what the candidate of a session learns.
type InviteContent struct {
	AssessmentTitle string
	InviteURL       string
	ExpiresAt       time.Time      // the end of the time to start: of the invite or of the assessment
	OpensAt         *time.Time     // nil if the candidate can start now
	TimeLimit       *time.Duration // with the candidate's extra time; nil for none
	Unlimited       bool           // neither the assessment nor a stage has a time limit
	StageCount      int
	QuestionCount   int
	MessageHTML     string // the assessment's own paragraph, sanitized; "" for none
	MessageText     string // the same as plain text
}

// DecisionContent is about a decision of a person after the end of a session, or after its review.
type DecisionContent struct {
	AssessmentTitle string
	InviteURL       string     // of REOPENED and GATE_PASSED
	DeadlineAt      *time.Time // of REOPENED and GATE_PASSED: when the time ends; nil for no limit
	At              time.Time  // of the decision
}

// WrittenContent is what the organization itself has written to one candidate.
type WrittenContent struct {
	AssessmentTitle string
	Subject         string // one line, without placeholders
	Text            string // plain text without placeholders; an empty line begins a paragraph
}

// RegistrationContent asks the owner of an address to confirm a registration, or refuses it.
type RegistrationContent struct {
	AssessmentTitle string
	Link            string     // proves the address; "" for a person who may not attempt the assessment again
	ExpiresAt       time.Time  // of the link
	PossibleAt      *time.Time // when the person may attempt it again; nil for never, or for a person who has a link
}

// FinishedContent names the candidates who have finished since the last email.
type FinishedContent struct {
	Sessions []FinishedSession // newest first, at most maxFinishedSessions
	More     int               // the number of others
	AllURL   string            // the list of candidates in the dashboard
}

// FinishedSession is one of them.
type FinishedSession struct {
	CandidateName   string
	AssessmentTitle string
	Disqualified    bool
	Score           *float64 // percent
	Passed          *bool
	FinishedAt      time.Time
	URL             string // the candidate's page in the dashboard
}

// AccountContent is about the account of a member.
type AccountContent struct {
	Link         string    // of INVITATION, EMAIL_CONFIRMATION, PASSWORD_RESET, and DELETION_SCHEDULED
	ExpiresAt    time.Time // of the link
	ByName       string    // who invited the person, changed the role, or scheduled the deletion; "" if it is not known
	Role         Role      // of INVITATION and ROLE_CHANGED
	PreviousRole Role      // of ROLE_CHANGED
	DeleteAt     time.Time // of DELETION_SCHEDULED
	IP           string    // where the change came from; "" if it is not known
	At           time.Time // of the change
	// ResetURL is where the member asks for a new password. Security notices have it; "" for none.
	ResetURL string
}

// WebhookContent is about a webhook endpoint that was disabled.
type WebhookContent struct {
	URL    string // the endpoint's page in the dashboard
	Host   string // of its address, which can contain secrets
	Reason string // FAILING or ENDPOINT_GONE
	At     time.Time
}

// UnscopedEmailContent reads what a claimed email says, or returns nil if the email is no
// longer needed: its candidate was erased or has started, its member was removed, its
// link has ended, or no member of the organization has proved their address. For PASSWORD_RESET and
// EMAIL_CONFIRMATION, the link's lifetime begins.
func (s *Store) UnscopedEmailContent(ctx context.Context, e Email) (*EmailContent, error) {
	scope := Scope{OrganizationID: e.OrganizationID}
	if may, err := s.read().maySend(ctx, scope, e.Kind); err != nil || !may {
		return nil, err
	}
	switch e.Kind {
	case EmailInvite, EmailReminder:
		return s.candidateEmail(ctx, scope, e)
	case EmailReopened, EmailGatePassed, EmailResultCorrected:
		return s.decisionEmail(ctx, scope, e)
	case EmailDecision:
		return s.reviewEmail(ctx, scope, e)
	case EmailRegistration:
		return s.read().registrationEmail(ctx, scope, e)
	case EmailTextTest:
		return s.testEmail(ctx, scope, e)
	case EmailFinished:
		return s.finishedEmail(ctx, scope, e)
	case EmailWaiting:
		return s.waitingEmail(ctx, scope, e)
	case EmailInvitation, EmailConfirmation, EmailPasswordReset, EmailPasswordChanged, EmailSecondFactorAdded,
		EmailSecondFactorRemoved, EmailRecoveryCodeUsed, EmailRefreshTokenReused, EmailRoleChanged,
		EmailDeletionScheduled:
		return s.accountEmail(ctx, scope, e)
	case EmailWebhookDisabled:
		return s.webhookEmail(ctx, scope, e)
	}
	return nil, fmt.Errorf("store: email %s has the unknown kind %q", e.ID, e.Kind)
}
