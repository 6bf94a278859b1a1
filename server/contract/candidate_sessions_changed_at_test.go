package contract

import (
	"slices"
	"testing"
	"time"

	"assay/store/storetest"
)

// On PostgreSQL, the times of the last changes are in a table of their own, which a trigger
// writes. Without an index on the time, the submit of a stage updates the row of the session in
// its page (HOT), unless the session ends.
func TestSessionChanges(t *testing.T) {
	t.Parallel()
	clock, address := storetest.NewClock(), storetest.URL(t, "postgres")
	a := serve(t, storetest.OpenURL(t, address, clock.Now), clock)
	o := a.register()
	assessmentID := o.publish(twoStages())
	preview := o.preview(assessmentID).text("data.id")
	for range 5 {
		session := o.invite(assessmentID)
		who := session.candidate()
		clock.Advance(time.Second)
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		clock.Advance(time.Second)
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).want(200)
	}
	a.do("POST", "/v1/candidate-sessions/"+o.invite(assessmentID).text("data.id")+"/cancel", o.owner, nil).want(200)
	clock.Advance(400 * 24 * time.Hour) // longer than test sessions are kept
	if err := storetest.Purge(t.Context(), a.store, time.Hour); err != nil {
		t.Fatal(err)
	}

	times := func(table, columns string) []string {
		return slices.Sorted(slices.Values(storetest.Column(t, address, table, columns)))
	}
	changes := times("candidate_session_changes", "concat_ws(' ', session_id, organization, changed_at)")
	if sessions := times("candidate_sessions", "concat_ws(' ', id, organization_id, updated_at)"); len(sessions) != 6 ||
		!slices.Equal(changes, sessions) {
		t.Errorf("the changes are\n%q\nand the sessions, without %s,\n%q", changes, preview, sessions)
	}
	// The connections report their counts when they end.
	storetest.Column(t, address, "pg_stat_activity", `concat(CASE WHEN datname = current_database()
		AND pid <> pg_backend_pid() THEN pg_terminate_backend(pid, 5000) END)`)
	updates := storetest.Column(t, address, "pg_stat_user_tables", "concat(relname, ' ', n_tup_hot_upd > 0)")
	if !slices.Contains(updates, "candidate_sessions t") {
		t.Errorf("no update of a session is HOT: %q", updates)
	}
}
