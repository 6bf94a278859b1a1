package store

import (
	"errors"
	"testing"

	"assay/store/rules"
)

// Every code that package rules returns has its refusal.
func TestRefused(t *testing.T) {
	t.Parallel()
	kinds := map[string]Kind{
		rules.AssessmentNotDraft: Conflict, rules.AssessmentNotPublished: Conflict,
		rules.SessionNotInProgress: Conflict, rules.SessionNotInvited: Conflict, rules.SessionClosed: Conflict, rules.InviteExpired: Gone,
	}
	for code, kind := range kinds {
		var refusal *Error
		if err := refused(code); !errors.As(err, &refusal) || refusal.Code != code || refusal.Kind != kind || refusal.Detail == "" {
			t.Errorf("refused(%q) is %v", code, err)
		}
	}
	if err := refused(""); err != nil {
		t.Errorf(`refused("") is %v`, err)
	}
	if err := refused("unheard_of"); err == nil {
		t.Error("an unknown code is no refusal")
	}
}

// A declared refusal is shared, so that with and about must not change it.
func TestRefusalsAreCopied(t *testing.T) {
	t.Parallel()
	before := *errInvalid
	_ = errInvalid.with(rules.Fault{Pointer: "/x"})
	_ = errInvalid.about("ses_1")
	if errInvalid.Detail != before.Detail || errInvalid.Fields != nil {
		t.Errorf("the declared refusal is now %+v", errInvalid)
	}
}
