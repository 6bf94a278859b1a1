package rules

import (
	"slices"
	"strings"
	"testing"
)

// Each matrix is written out in full, so that a change of the tables in the
// code has to be made twice, knowingly. A lower-case cell is a refusal's code.

func TestAssessmentStatusAfter(t *testing.T) {
	t.Parallel()
	verbs := []AssessmentVerb{VerbEdit, VerbPublish, VerbArchive, VerbDelete}
	matrix := map[AssessmentStatus][]string{
		AssessmentDraft:     {"DRAFT", "PUBLISHED", "assessment_not_published", ""},
		AssessmentPublished: {"assessment_not_draft", "PUBLISHED", "ARCHIVED", "assessment_not_draft"},
		AssessmentArchived:  {"assessment_not_draft", "assessment_not_draft", "ARCHIVED", "assessment_not_draft"},
		"SHREDDED":          {"assessment_not_draft", "assessment_not_draft", "assessment_not_draft", "assessment_not_draft"},
	}
	for from, cells := range matrix {
		for i, verb := range verbs {
			to, refused := from.After(verb)
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
	verbs := []SessionVerb{VerbStart, VerbSave, VerbSubmit, VerbCancel, VerbResend, verbExpire, verbTimeout}
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
			to, refused := from.After(verb)
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

// compareMove checks one cell: a refusal leaves the status unchanged.
func compareMove(t *testing.T, name, from, to, refusal, want string) {
	t.Helper()
	if want != strings.ToLower(want) || want == "" {
		if refusal != "" || to != want {
			t.Errorf("%s: got %q, refusal %q; want %q", name, to, refusal, want)
		}
		return
	}
	if refusal != want {
		t.Errorf("%s: got %q, refusal %q; want the refusal %q", name, to, refusal, want)
	}
	if to != from {
		t.Errorf("%s: refused, but the status becomes %q", name, to)
	}
}
