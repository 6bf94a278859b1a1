package store

import (
	"os"
	"regexp"
	"slices"
	"testing"
	"time"
)

// Each kind of email counts toward these limits, and heeds the list of suppressed addresses in this way. A new kind
// fails the test until somebody has decided that for it.
func TestEachKindOfEmailIsLimited(t *testing.T) {
	t.Parallel()
	type rule struct {
		limits                 []string
		refusals, unsubscribed bool
	}
	toCandidate := rule{[]string{"email-recipient", "email-address", "email-organization"}, true, true}
	toMember := rule{[]string{"email-member", "email-organization"}, true, false}
	toAccount := rule{[]string{"email-member"}, false, false}
	rules := map[EmailKind]rule{
		EmailInvite: toCandidate, EmailReminder: toCandidate, EmailReopened: toCandidate, EmailResultCorrected: toCandidate,
		EmailDecision: toCandidate, EmailRegistration: toCandidate, EmailGatePassed: toCandidate,
		EmailInvitation: {toCandidate.limits, true, false},
		EmailFinished:   toMember, EmailWaiting: toMember, EmailWebhookDisabled: toMember, EmailTextTest: toMember,
		EmailPasswordChanged: toAccount, EmailRefreshTokenReused: toAccount, EmailRoleChanged: toAccount,
		EmailDeletionScheduled: toAccount, EmailSecondFactorAdded: toAccount, EmailSecondFactorRemoved: toAccount,
		EmailRecoveryCodeUsed: toAccount, EmailSignInRecoveryCodeUsed: toAccount,
		EmailPasswordReset: {[]string{"email-reset"}, false, false},
		EmailConfirmation:  {},
	}
	source, err := os.ReadFile("emails.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^\tEmail\w+ +EmailKind = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(declared) != len(rules) {
		t.Errorf("emails.go has %d kinds, and the test %d", len(declared), len(rules))
	}

	limit := func(name string) RateLimit { return RateLimit{Name: name, Requests: 1, Window: emailDay} }
	s := &Store{opts: Options{Registration: RegistrationOpen, Now: time.Now, SignInLimits: SignInLimits{
		EmailRecipient: limit("email-recipient"), EmailAddress: limit("email-address"), EmailMember: limit("email-member"),
		EmailReset: limit("email-reset"),
	}}}
	for _, kind := range declared {
		e := Email{Kind: EmailKind(kind[1]), OrganizationID: "org_1"}
		got := rule{refusals: heedsRefusals(e.Kind), unsubscribed: heedsRequests(e.Kind)}
		for _, counted := range s.emailLimits(e, &EmailContent{ToAddress: "a@example.com"}) {
			got.limits = append(got.limits, counted.Name)
		}
		want := rules[e.Kind]
		if !slices.Equal(got.limits, want.limits) || got.refusals != want.refusals || got.unsubscribed != want.unsubscribed {
			t.Errorf("%s has %+v, want %+v", e.Kind, got, want)
		}
	}
}

// What an account needs has buckets that no other email fills.
func TestSharesOfAccountsAreTheirOwn(t *testing.T) {
	t.Parallel()
	s := &Store{opts: Options{Registration: RegistrationOpen, Now: time.Now, SignInLimits: SignInLimits{
		EmailRecipient: RateLimit{Name: "email-recipient"}, EmailAddress: RateLimit{Name: "email-address"},
		EmailMember: RateLimit{Name: "email-member"}, EmailReset: RateLimit{Name: "email-reset"},
	}}}
	buckets := map[string]EmailKind{}
	for _, kind := range []EmailKind{
		EmailInvite, EmailRegistration, EmailInvitation, EmailFinished, EmailWaiting, EmailTextTest, EmailWebhookDisabled,
	} {
		e, content := Email{Kind: kind, OrganizationID: "org_1"}, &EmailContent{ToAddress: "a@b.example"}
		for _, counted := range s.emailLimits(e, content) {
			buckets[counted.Name+":"+counted.who] = kind
		}
	}
	for _, kind := range []EmailKind{EmailPasswordReset, EmailPasswordChanged, EmailRefreshTokenReused, EmailRoleChanged,
		EmailDeletionScheduled} {
		e, content := Email{Kind: kind, OrganizationID: "org_1"}, &EmailContent{ToAddress: "a@b.example"}
		for _, counted := range s.emailLimits(e, content) {
			if other, shared := buckets[counted.Name+":"+counted.who]; shared {
				t.Errorf("%s shares %s with %s", kind, counted.who, other)
			}
		}
	}
}
