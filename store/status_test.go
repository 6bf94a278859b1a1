package store

import (
	"slices"
	"strings"
	"testing"
)

// Each matrix is written out in full, so that a change of the tables in the
// code has to be made twice, knowingly. A lower-case cell is a refusal's code.

func TestAssessmentStatusAfter(t *testing.T) {
	t.Parallel()
	verbs := []assessmentVerb{verbEdit, verbPublish, verbArchive, verbDelete}
	matrix := map[AssessmentStatus][]string{
		AssessmentDraft:     {"DRAFT", "PUBLISHED", "assessment_not_published", ""},
		AssessmentPublished: {"assessment_not_draft", "PUBLISHED", "ARCHIVED", "assessment_not_draft"},
		AssessmentArchived:  {"assessment_not_draft", "assessment_not_draft", "ARCHIVED", "assessment_not_draft"},
		"SHREDDED":          {"assessment_not_draft", "assessment_not_draft", "assessment_not_draft", "assessment_not_draft"},
	}
	for from, cells := range matrix {
		for i, verb := range verbs {
			to, refused := from.after(verb)
			compareMove(t, string(from)+" "+string(verb), string(from), string(to), refused, cells[i])
		}
	}
	if len(assessmentMoves) != len(matrix)-1 {
		t.Errorf("the table has %d rows, the matrix %d", len(assessmentMoves), len(matrix)-1)
	}
	for from, row := range assessmentMoves {
		if len(row) != len(verbs) {
			t.Errorf("%s has %d cells, want %d", from, len(row), len(verbs))
		}
	}
}

func TestSessionStatusAfter(t *testing.T) {
	t.Parallel()
	verbs := []sessionVerb{verbStart, verbSave, verbSubmit, verbCancel, verbResend, verbExpire, verbTimeout}
	const notInProgress, notInvited, closed, expired = "session_not_in_progress", "session_not_invited", "session_closed", "invite_expired"
	matrix := map[SessionStatus][]string{
		SessionInvited:      {"IN_PROGRESS", notInProgress, notInProgress, "CANCELLED", "INVITED", "EXPIRED", notInProgress},
		SessionInProgress:   {"IN_PROGRESS", "IN_PROGRESS", "IN_PROGRESS", "CANCELLED", notInvited, notInvited, "IN_PROGRESS"},
		SessionCompleted:    {notInProgress, notInProgress, notInProgress, closed, notInvited, notInvited, notInProgress},
		SessionDisqualified: {notInProgress, notInProgress, notInProgress, closed, notInvited, notInvited, notInProgress},
		SessionExpired:      {expired, expired, expired, closed, "INVITED", notInvited, notInProgress},
		SessionCancelled:    {notInProgress, notInProgress, notInProgress, closed, notInvited, notInvited, notInProgress},
		"LOST":              {closed, closed, closed, closed, closed, closed, closed},
	}
	for from, cells := range matrix {
		for i, verb := range verbs {
			to, refused := from.after(verb)
			compareMove(t, string(from)+" "+string(verb), string(from), string(to), refused, cells[i])
		}
	}
	if len(sessionMoves) != len(matrix)-1 {
		t.Errorf("the table has %d rows, the matrix %d", len(sessionMoves), len(matrix)-1)
	}
	for from, row := range sessionMoves {
		if len(row) != len(verbs) {
			t.Errorf("%s has %d cells, want %d", from, len(row), len(verbs))
		}
	}
}

func TestSessionStatusFromTo(t *testing.T) {
	t.Parallel()
	statuses := []SessionStatus{SessionInvited, SessionInProgress, SessionCompleted, SessionDisqualified, SessionExpired, SessionCancelled}
	// By which verbs a status leads to another; rows are from, columns to.
	matrix := map[SessionStatus][]string{
		SessionInvited:      {"resend", "start", "", "", "expire", "cancel"},
		SessionInProgress:   {"", "save start submit timeout", "submit timeout", "submit timeout", "", "cancel"},
		SessionCompleted:    {"", "", "", "", "", ""},
		SessionDisqualified: {"", "", "", "", "", ""},
		SessionExpired:      {"resend", "", "", "", "", ""},
		SessionCancelled:    {"", "", "", "", "", ""},
	}
	for _, from := range statuses {
		for i, to := range statuses {
			var verbs []string
			for verb, move := range sessionMoves[from] {
				if slices.Contains(move.to, to) {
					verbs = append(verbs, string(verb))
				}
			}
			slices.Sort(verbs)
			if got := strings.Join(verbs, " "); got != matrix[from][i] {
				t.Errorf("%s to %s by %q, want %q", from, to, got, matrix[from][i])
			}
		}
	}
}

// compareMove checks one cell: a refusal has its code and kind, explains itself
// and leaves the status alone.
func compareMove(t *testing.T, name, from, to string, refused *Error, want string) {
	t.Helper()
	if want != strings.ToLower(want) || want == "" {
		if refused != nil || to != want {
			t.Errorf("%s: got %q, refusal %v; want %q", name, to, refused, want)
		}
		return
	}
	kind := Conflict
	if want == "invite_expired" {
		kind = Gone
	}
	if refused == nil || refused.Code != want || refused.Kind != kind || refused.Detail == "" {
		t.Errorf("%s: got %q, refusal %+v; want %s of kind %d", name, to, refused, want, kind)
	}
	if to != from {
		t.Errorf("%s: refused, yet the status becomes %q", name, to)
	}
}

// A caller may change the refusal that it was given; the table stays.
func TestRefusalsAreCopies(t *testing.T) {
	t.Parallel()
	_, refused := SessionCompleted.after(verbCancel)
	refused.Detail = "changed"
	if _, again := SessionCompleted.after(verbCancel); again.Detail == "changed" {
		t.Error("two refusals share their memory")
	}
}
