package store

import (
	"errors"
	"testing"

	"assay/store/rules"
)

// refused must return the refusal with the same code for every code of package
// rules, and an error for an unknown code.
func TestRefused(t *testing.T) {
	t.Parallel()
	kinds := map[string]Kind{
		rules.AssessmentNotDraft: Conflict, rules.AssessmentNotPublished: Conflict,
		rules.SessionNotInProgress: Conflict, rules.SessionNotInvited: Conflict, rules.SessionClosed: Conflict,
		rules.SessionNotInReview: Conflict, rules.SessionNotFinished: Conflict,
		rules.InviteExpired: Gone,
	}
	for code, kind := range kinds {
		var refusal *Error
		err := refused(code)
		if !errors.As(err, &refusal) || refusal.Code != code || refusal.Kind != kind || refusal.Detail == "" {
			t.Errorf("refused(%q) = %v", code, err)
		}
	}
	if err := refused(""); err != nil {
		t.Errorf(`refused("") = %v, want nil`, err)
	}
	if err := refused("unknown_code"); err == nil {
		t.Error("an unknown code returns no error")
	}
}

// All requests share the declared refusals, so with and about must return copies.
func TestWithAndAboutCopyTheRefusal(t *testing.T) {
	t.Parallel()
	before := *errInvalid
	_ = errInvalid.with(rules.Fault{Pointer: "/x"})
	_ = errInvalid.about("ses_1")
	if errInvalid.Detail != before.Detail || errInvalid.Fields != nil {
		t.Errorf("the declared refusal is now %+v", errInvalid)
	}
}
