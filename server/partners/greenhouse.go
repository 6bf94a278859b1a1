package partners

import (
	"context"
	"net/http"
	"strings"

	"assay/store"
	"assay/store/rules"
)

// greenhouse is the Assessment API of Greenhouse.
//
// Source: https://developers.greenhouse.io/assessment.html, and its text at
// https://github.com/grnhse/greenhouse-api-docs (source/includes/assessment). It says:
//
//   - Greenhouse calls four addresses, which the partner names: list_tests, send_test, test_status, and
//     response_error. The key of the organization is the name of HTTP Basic, with an empty password.
//   - GET list_tests returns an array of {partner_test_id, partner_test_name}.
//   - POST send_test has partner_test_id, candidate, and url. It returns {partner_interview_id}. url is of this one
//     test of one candidate, so the same url is the same order.
//   - When the test is complete, the partner sends a PATCH without a body to url, with the same key, and Greenhouse
//     then calls GET test_status?partner_interview_id=…. Older integrations were asked each hour for eight weeks.
//   - test_status returns partner_status, and for "complete" also partner_profile_url; partner_score; and metadata, a
//     flat object of primitive values that people see. Other values of partner_status are not defined.
//   - POST response_error says which response Greenhouse could not read.
//   - 401 and 404 are the statuses of refusals. Their body is not defined; ours is a list like that of response_error.
//
// The page names one host, app.greenhouse.io. That other regions have hosts below greenhouse.io is an assumption.
type greenhouse struct{}

// Partner implements Adapter.
func (greenhouse) Partner() store.Partner { return store.PartnerGreenhouse }

// Routes implements Adapter.
func (g greenhouse) Routes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/list_tests", Status: http.StatusOK, Do: g.listTests},
		{Method: http.MethodPost, Path: "/send_test", Status: http.StatusOK, Do: g.sendTest},
		{Method: http.MethodGet, Path: "/test_status", Status: http.StatusOK, Do: g.testStatus},
		{Method: http.MethodPost, Path: "/response_error", Status: http.StatusOK, Do: g.responseError},
	}
}

// Names implements Adapter.
func (greenhouse) Names() map[string]string {
	return map[string]string{
		"/assessmentId": "partner_test_id", "/candidateName": "candidate.first_name and candidate.last_name",
		"/candidateEmail": "candidate.email", "/url": "url",
	}
}

type greenhouseTest struct {
	ID   string `json:"partner_test_id"`
	Name string `json:"partner_test_name"`
}

func (greenhouse) listTests(ctx context.Context, r *Request) (any, error) {
	found, err := r.Tests(ctx)
	tests := make([]greenhouseTest, len(found))
	for i, test := range found {
		tests[i] = greenhouseTest{test.ID, test.Title}
	}
	return tests, err
}

type greenhouseInterview struct {
	ID string `json:"partner_interview_id"`
}

func (greenhouse) sendTest(ctx context.Context, r *Request) (any, error) {
	callback := r.Text("url")
	order, err := r.Order(ctx, store.PartnerRequest{
		Key: callback, CallbackURL: &callback, Hosts: []string{"greenhouse.io"},
		Invite: store.Invite{AssessmentID: r.Text("partner_test_id")},
	})
	return greenhouseInterview{order.ID}, err
}

// greenhouseStatus has null for what is unknown, as "General considerations" of the source asks.
type greenhouseStatus struct {
	Status     string         `json:"partner_status"`
	ProfileURL *string        `json:"partner_profile_url"`
	Score      *float64       `json:"partner_score"`
	Metadata   map[string]any `json:"metadata"`
}

func (greenhouse) testStatus(ctx context.Context, r *Request) (any, error) {
	order, err := r.Status(ctx, r.Query.Get("partner_interview_id"))
	if err != nil {
		return nil, err
	}
	session := order.Session
	status := greenhouseStatus{Status: greenhouseStates[session.Status], Metadata: map[string]any{}}
	if session.StartedAt != nil {
		status.Metadata["Started At"] = store.WireTime(session.StartedAt.Time)
	}
	if finished := order.FinishedAt(); finished != nil {
		status.ProfileURL, status.Score = &order.ResultURL, session.Score
		status.Metadata["Completed At"] = store.WireTime(*finished)
		status.Metadata["Disqualified"] = session.Status == rules.SessionDisqualified
		if session.Passed != nil {
			status.Metadata["Passed"] = *session.Passed
		}
	}
	return status, nil
}

// greenhouseStates has "complete" for each session with a result.
var greenhouseStates = map[rules.SessionStatus]string{
	rules.SessionInvited: "invited", rules.SessionInProgress: "in_progress", rules.SessionInReview: "in_progress",
	rules.SessionCompleted: "complete",
	rules.SessionDisqualified: "complete", rules.SessionExpired: "expired", rules.SessionCancelled: "cancelled",
}

func (greenhouse) responseError(ctx context.Context, r *Request) (any, error) {
	if id := r.Text("partner_interview_id"); id != "" {
		_, _ = r.Status(ctx, id) // the report is about an order, if there is one
	}
	r.Problem = "Greenhouse could not read a response of " + r.Text("api_call") + ": " +
		strings.Join(r.texts("errors"), "; ")
	return map[string]int{"status": http.StatusOK}, nil
}

// Refuse implements Adapter.
func (greenhouse) Refuse(status int, detail string) (int, any) {
	return status, map[string][]string{"errors": {detail}}
}

// Callback implements Adapter.
func (greenhouse) Callback(c store.PartnerCallback) (*Call, error) {
	if c.Order.FinishedAt() == nil || c.Order.CallbackURL == nil {
		return nil, nil //nolint:nilnil // Greenhouse hears of results only
	}
	return &Call{Method: http.MethodPatch, URL: *c.Order.CallbackURL, Authorization: basic(c.Key)}, nil
}

// Rejection returns "": the response has a status only.
func (greenhouse) Rejection(string) string { return "" }
