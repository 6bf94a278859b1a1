package rules

import (
	"slices"
	"strings"
	"testing"
)

// The matrices repeat sessionMoves in full, so that a change of the table by
// mistake fails. A lower-case cell is the code of a refusal.

func TestSessionStatusAfter(t *testing.T) {
	t.Parallel()
	verbs := []SessionVerb{VerbStart, VerbSave, VerbSubmit, VerbExtend, VerbCancel, VerbResend, verbExpire, verbTimeout,
		VerbReopen, VerbDecide}
	const notInProgress, notInvited, closed, expired, unfinished, notInReview = "session_not_in_progress",
		"session_not_invited", "session_closed", "invite_expired", "session_not_finished", "session_not_in_review"
	matrix := map[SessionStatus][]string{
		SessionInvited: {"IN_PROGRESS", notInProgress, notInProgress, notInProgress, "CANCELLED", "INVITED", "EXPIRED",
			notInProgress, unfinished, notInReview},
		SessionInProgress: {"IN_PROGRESS", "IN_PROGRESS", "IN_PROGRESS", "IN_PROGRESS", "CANCELLED", notInvited, notInvited,
			"IN_PROGRESS", unfinished, notInReview},
		SessionInReview: {notInProgress, notInProgress, notInProgress, notInProgress, "CANCELLED", notInvited, notInvited,
			notInProgress, unfinished, "IN_REVIEW"},
		SessionCompleted: {notInProgress, notInProgress, notInProgress, notInProgress, closed, notInvited, notInvited,
			notInProgress, "IN_PROGRESS", notInReview},
		SessionDisqualified: {notInProgress, notInProgress, notInProgress, notInProgress, closed, notInvited, notInvited,
			notInProgress, "IN_PROGRESS", notInReview},
		SessionExpired: {expired, expired, expired, notInProgress, closed, "INVITED", notInvited, notInProgress,
			unfinished, notInReview},
		SessionCancelled: {notInProgress, notInProgress, notInProgress, notInProgress, closed, notInvited, notInvited,
			notInProgress, unfinished, notInReview},
		"UNKNOWN": {closed, closed, closed, closed, closed, closed, closed, closed, closed, closed},
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
	statuses := []SessionStatus{SessionInvited, SessionInProgress, SessionCompleted, SessionDisqualified, SessionExpired,
		SessionCancelled, SessionInReview}
	// The verbs that lead from the status of the row to the status of the column.
	matrix := map[SessionStatus][]string{
		SessionInvited: {"resend", "start", "", "", "expire", "cancel", ""},
		SessionInProgress: {"", "extend save start submit timeout", "submit timeout", "submit timeout", "", "cancel",
			"submit timeout"},
		SessionCompleted:    {"", "reopen", "", "", "", "", ""},
		SessionDisqualified: {"", "reopen", "", "", "", "", ""},
		SessionExpired:      {"resend", "", "", "", "", "", ""},
		SessionCancelled:    {"", "", "", "", "", "", ""},
		SessionInReview:     {"", "decide", "decide", "decide", "", "cancel", "decide"},
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
				t.Errorf("the verbs from %s to %s are %q, want %q", from, to, got, matrix[from][i])
			}
		}
	}
}

// compareMove checks one cell. A refusal must leave the status unchanged.
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
