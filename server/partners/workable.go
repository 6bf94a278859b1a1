package partners

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"assay/store"
	"assay/store/rules"
)

// workable is the protocol of Workable's assessment providers.
//
// Source: https://workable.readme.io/page/assessment-providers. It says:
//
//   - Workable calls GET tests and POST assessments below an address of the provider, with a Bearer token that the
//     provider has issued.
//   - GET tests returns {tests: [{id, name}]}.
//   - Workable issues a token for the requests of the provider, which is a Bearer token, too.
//
// Only the beginning of the page could be read here. The following is unverified: it is how another provider describes
// the page (https://github.com, "Workable Assessments Provider", a specification of Taali):
//
//   - POST assessments has test_id, job_shortcode, job_title, callback_url, and candidate, and returns
//     {assessment_id}.
//   - The provider sends PUT to callback_url with status pending, completed, rejected, or expired. A completed one has
//     results_url, and assessment with score (a text), grade (failed, passed, or excelled), and summary.
//   - A refusal is {status, message}: 400, 401, 409, and 422.
//
// The status of a response to POST assessments, 201, and that callback addresses are below workable.com are
// assumptions.
type workable struct{}

// Partner implements Adapter.
func (workable) Partner() store.Partner { return store.PartnerWorkable }

// Routes implements Adapter.
func (w workable) Routes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/tests", Status: http.StatusOK, Do: w.tests},
		{Method: http.MethodPost, Path: "/assessments", Status: http.StatusCreated, Do: w.create},
	}
}

// Names implements Adapter.
func (workable) Names() map[string]string {
	return map[string]string{
		"/assessmentId": "test_id", "/candidateName": "candidate.first_name and candidate.last_name",
		"/candidateEmail": "candidate.email", "/url": "callback_url",
	}
}

type workableTest struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (workable) tests(ctx context.Context, r *Request) (any, error) {
	found, err := r.Tests(ctx)
	tests := make([]workableTest, len(found))
	for i, test := range found {
		tests[i] = workableTest{test.ID, test.Title}
	}
	return map[string][]workableTest{"tests": tests}, err
}

func (workable) create(ctx context.Context, r *Request) (any, error) {
	callback := r.Text("callback_url")
	order, err := r.Order(ctx, store.PartnerRequest{
		Key: callback, CallbackURL: &callback, Hosts: []string{"workable.com"},
		Invite: store.Invite{AssessmentID: r.Text("test_id")},
	})
	return map[string]string{"assessment_id": order.ID}, err
}

// Refuse implements Adapter.
func (workable) Refuse(status int, detail string) (int, any) {
	return status, struct {
		Status  int    `json:"status"`
		Message string `json:"message"`
	}{status, detail}
}

type workableResult struct {
	Status     string              `json:"status"`
	ResultsURL string              `json:"results_url,omitempty"`
	Assessment *workableAssessment `json:"assessment,omitempty"`
}

type workableAssessment struct {
	Score   string `json:"score,omitempty"`
	Grade   string `json:"grade,omitempty"`
	Summary string `json:"summary"`
}

// Callback implements Adapter.
func (workable) Callback(c store.PartnerCallback) (*Call, error) {
	if c.Order.CallbackURL == nil {
		return nil, nil //nolint:nilnil // see checkCallbackURL: there always is one
	}
	session := c.Order.Session
	var result workableResult
	switch session.Status {
	case rules.SessionInvited, rules.SessionInProgress, rules.SessionInReview:
		result.Status = "pending"
	case rules.SessionExpired:
		result.Status = "expired"
	case rules.SessionCancelled:
		result.Status = "rejected"
	case rules.SessionCompleted, rules.SessionDisqualified:
		result = workableResult{
			Status: "completed", ResultsURL: c.Order.ResultURL, Assessment: &workableAssessment{Summary: "Completed."},
		}
		if session.Status == rules.SessionDisqualified {
			result.Assessment.Summary = "A required gate failed, so the assessment ended early."
		}
		if session.Score != nil {
			result.Assessment.Score = strconv.FormatFloat(*session.Score, 'f', -1, 64)
		}
		if session.Passed != nil {
			result.Assessment.Grade = map[bool]string{true: "passed", false: "failed"}[*session.Passed]
		}
	}
	body, err := json.Marshal(result)
	return &Call{Method: http.MethodPut, URL: *c.Order.CallbackURL, Authorization: "Bearer " + c.Key, Body: body}, err
}

// Rejection returns "": a response with a status below 300 is a success.
func (workable) Rejection(string) string { return "" }
