package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
)

// Rows are locked in one order, whatever a request names first, or two requests could wait for each other. In each case
// another transaction holds a row that the request needs. While the request waits for it, a row that comes later in the
// order must be free.
func TestRowsAreLockedInOneOrder(t *testing.T) {
	t.Parallel()
	const session, answer = `SELECT 1 FROM candidate_sessions WHERE id = '%s' FOR UPDATE`,
		`SELECT 1 FROM answers WHERE session_id = '%s' FOR UPDATE`
	for name, test := range map[string]struct {
		held, free func(x *lockOrder) string
		request    func(x *lockOrder) error
	}{
		// These requests name the second session first.
		"shared answers": {first(answer), second(answer), func(x *lockOrder) error {
			return x.store.SaveAnswersTogether(x.t.Context(), x.candidates[1], x.candidates[0])
		}},
		"bulk invites": {first(session), second(session), func(x *lockOrder) error {
			invites := bulkOfOne(x.assessmentID, "b@example.com")
			invites.Invites = append(invites.Invites, bulkOfOne(x.assessmentID, "a@example.com").Invites...)
			_, err := x.store.BulkCreateCandidateSessions(x.t.Context(), x.scope, invites)
			return err
		}},
		"bulk states": {first(session), second(session), func(x *lockOrder) error {
			_, err := x.store.BulkChangeReviewStates(x.t.Context(), x.scope, store.BulkStateChange{
				StateID: "rejected", Rows: []*store.BulkStateRow{{SessionID: x.ids[1]}, {SessionID: x.ids[0]}},
			})
			return err
		}},
		// A session before its emails.
		"outcome of an email": {first(session), func(x *lockOrder) string {
			return fmt.Sprintf(`SELECT 1 FROM emails WHERE session_id = '%s' FOR UPDATE`, x.ids[0])
		}, func(x *lockOrder) error {
			email, err := x.store.UnscopedClaimEmail(x.t.Context(), "", "lease", time.Now().Add(time.Hour))
			if err != nil || email == nil || *email.SessionID != x.ids[0] {
				return fmt.Errorf("the email is %+v: %w", email, err)
			}
			_, err = x.store.UnscopedSettleEmail(x.t.Context(), store.EmailOutcome{Email: *email, Status: store.EmailSent})
			return err
		}},
		// A person signs in, which adds a row that refers to the organization.
		"change of a member": {func(x *lockOrder) string {
			return fmt.Sprintf(`SELECT 1 FROM users WHERE id = '%s' FOR UPDATE`, x.scope.UserID)
		}, func(x *lockOrder) string {
			return fmt.Sprintf(`SELECT 1 FROM organizations WHERE id = '%s' FOR KEY SHARE`, x.scope.OrganizationID)
		}, func(x *lockOrder) error {
			_, err := x.store.UpdateMember(x.t.Context(), x.scope, x.scope.UserID, store.MemberChange{Role: store.Owner})
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newLockOrder(t)
			pool := openPool(t, x.address)
			release := hold(t, x.address, test.held(x))
			done := make(chan error, 1)
			go func() { done <- test.request(x) }()
			storetest.AwaitLocks(t, x.address, 1)
			if _, err := pool.ExecContext(t.Context(), test.free(x)+` NOWAIT`); err != nil {
				t.Errorf("the request that waits for a row has locked a later one: %v", err)
			}
			release()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

func first(lock string) func(*lockOrder) string {
	return func(x *lockOrder) string { return fmt.Sprintf(lock, x.ids[0]) }
}

func second(lock string) func(*lockOrder) string {
	return func(x *lockOrder) string { return fmt.Sprintf(lock, x.ids[1]) }
}

// A change of an invited person that meets an acceptance of the invitation changes the member.
func TestChangeOfAPersonWhoAccepts(t *testing.T) {
	t.Parallel()
	x := newLockOrder(t)
	invited, err := x.store.CreateMember(t.Context(), x.scope, store.NewMember{
		Name: "Grace Hopper", Email: "grace@example.com", Role: store.Member,
	})
	if err != nil {
		t.Fatal(err)
	}
	accept := storetest.Change(t, x.address, fmt.Sprintf(`
		WITH accepted AS (DELETE FROM invitations WHERE id = '%s' RETURNING *)
		INSERT INTO users (id, organization_id, name, email, email_key, password_hash, role, created_at, updated_at)
		SELECT id, organization_id, name, email, email_key, '', role, created_at, updated_at FROM accepted`, invited.ID))
	done := make(chan error, 1)
	go func() {
		person, err := x.store.UpdateMember(t.Context(), x.scope, invited.ID, store.MemberChange{Role: store.Admin})
		if err == nil && (person.Invited || person.Role != store.Admin) {
			err = fmt.Errorf("the person is %+v, want a member with the new role", person)
		}
		done <- err
	}()
	storetest.AwaitLocks(t, x.address, 1)
	accept()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// lockOrder is a database with the sessions of two candidates who have saved an answer.
type lockOrder struct {
	t            *testing.T
	address      string
	store        *store.Store
	scope        store.Scope
	assessmentID string
	ids          []string              // of the sessions, in ascending order
	candidates   []store.CandidateSave // in the same order
}

func newLockOrder(t *testing.T) *lockOrder {
	t.Helper()
	x := &lockOrder{t: t, address: storetest.URL(t, "postgres")}
	x.store = storetest.OpenURL(t, x.address, time.Now, func(o *store.Options) { o.SendsEmail = true })
	x.scope, x.assessmentID = published(t, x.store)
	assessment, err := x.store.RetrieveAssessment(t.Context(), x.scope, x.assessmentID)
	if err != nil {
		t.Fatal(err)
	}
	question := assessment.Definition.Stages[0].Questions[0].ID
	two := 2.0
	for _, email := range []string{"a@example.com", "b@example.com"} {
		invited, err := x.store.CreateCandidateSession(t.Context(), x.scope, store.Invite{
			AssessmentID: x.assessmentID, CandidateName: "C", CandidateEmail: email, SendEmail: new(true),
		})
		if err != nil {
			t.Fatal(err)
		}
		session := invited.Session
		_, token, _ := strings.Cut(*x.store.InviteURL(session), "#")
		scope, err := x.store.UnscopedCandidate(t.Context(), token)
		if err == nil {
			_, err = x.store.StartTaking(t.Context(), scope, false, "")
		}
		if err == nil {
			_, err = x.store.SaveAnswer(t.Context(), scope, question, rules.Answer{Number: &two})
		}
		if err != nil {
			t.Fatal(err)
		}
		x.ids = append(x.ids, session.ID)
		x.candidates = append(x.candidates, store.CandidateSave{
			Scope: scope, StageID: assessment.Definition.Stages[0].ID, QuestionID: question,
		})
	}
	if !slices.IsSorted(x.ids) {
		t.Fatal("the ids are not in the order of the invites")
	}
	return x
}
