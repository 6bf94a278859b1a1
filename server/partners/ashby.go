package partners

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"assay/store"
	"assay/store/rules"
)

// ashby is the partner side of Ashby's assessments.
//
// Source: https://developers.ashbyhq.com/docs/creating-an-assessments-integration,
// https://developers.ashbyhq.com/reference/assessmentstart, …/assessmentcancel, and
// https://developers.ashbyhq.com/docs/assessmentupdate. The schemas were read in copies of Ashby's OpenAPI document,
// for example https://github.com/api-evangelist/ashby (openapi/ashby-assessment-api-openapi.yml). They say:
//
//   - Ashby calls POST /assessment.list, /assessment.start, and /assessment.cancel below an address of the partner.
//   - assessment.list returns {success, results: [{assessment_type_id, name, description}]}.
//   - assessment.start has assessment_type_id, candidate, application, and job. It returns {success, results:
//     {assessment_id}}. It has no id of its own, so the application and the test are the order, until its session has
//     ended.
//   - 422 with a message shows the message to the person at Ashby. 409 means that the candidate is being assessed.
//   - assessment.cancel has assessment_id, and responds as assessment.start.
//   - The partner sends POST https://api.ashbyhq.com/assessment.update with an API key of Ashby as the name of HTTP
//     Basic, with assessment_id and timestamp (milliseconds). It has assessment_status ("Started" is known),
//     assessment_result and assessment_profile_url once the assessment is complete, or cancelled_reason. Each of them
//     is an object with identifier, label, type, and value. Responses of Ashby have a status of 200 and success: false
//     for an error.
//
// Unverified: that Ashby sends the key of the organization as the name of HTTP Basic, as it asks of others. A Bearer
// token is accepted as well. Whether Ashby wants ids to be UUIDs is not clear: newer pages call them strings.
type ashby struct{}

const ashbyUpdateURL = "https://api.ashbyhq.com/assessment.update"

// Partner implements Adapter.
func (ashby) Partner() store.Partner { return store.PartnerAshby }

// Routes implements Adapter.
func (a ashby) Routes() []Route {
	return []Route{
		{Method: http.MethodPost, Path: "/assessment.list", Status: http.StatusOK, Do: a.list},
		{Method: http.MethodPost, Path: "/assessment.start", Status: http.StatusOK, Do: a.start},
		{Method: http.MethodPost, Path: "/assessment.cancel", Status: http.StatusOK, Do: a.cancel},
	}
}

// Names implements Adapter.
func (ashby) Names() map[string]string {
	return map[string]string{
		"/assessmentId": "assessment_type_id", "/candidateName": "candidate.first_name and candidate.last_name",
		"/candidateEmail": "candidate.email",
	}
}

type ashbyResponse struct {
	Success bool     `json:"success"`
	Results any      `json:"results,omitempty"`
	Errors  []string `json:"errors,omitempty"`
	Message string   `json:"message,omitempty"`
}

type ashbyType struct {
	ID   string `json:"assessment_type_id"`
	Name string `json:"name"`
}

type ashbyAssessment struct {
	ID string `json:"assessment_id"`
}

func (ashby) list(ctx context.Context, r *Request) (any, error) {
	found, err := r.Tests(ctx)
	types := make([]ashbyType, len(found))
	for i, test := range found {
		types[i] = ashbyType{test.ID, test.Title}
	}
	return ashbyResponse{Success: true, Results: types}, err
}

func (ashby) start(ctx context.Context, r *Request) (any, error) {
	assessment := r.Text("assessment_type_id")
	order, err := r.Order(ctx, store.PartnerRequest{
		Key: strings.Join([]string{
			r.Text("application", "ashby_id"), r.Text("candidate", "ashby_id"), r.Text("candidate", "email"), assessment,
		}, "\x00"),
		Renewable: true, Invite: store.Invite{AssessmentID: assessment},
	})
	return ashbyResponse{Success: true, Results: ashbyAssessment{order.ID}}, err
}

func (ashby) cancel(ctx context.Context, r *Request) (any, error) {
	order, err := r.Cancel(ctx, r.Text("assessment_id"))
	return ashbyResponse{Success: true, Results: ashbyAssessment{order.ID}}, err
}

// Refuse makes the refusals about the request a 422, whose message the person at Ashby sees.
func (ashby) Refuse(status int, detail string) (int, any) {
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusGone:
		status = http.StatusUnprocessableEntity
	}
	return status, ashbyResponse{Errors: []string{detail}, Message: detail}
}

// ashbyValue is a value that Ashby shows.
type ashbyValue struct {
	Identifier string `json:"identifier"`
	Label      string `json:"label"`
	Type       string `json:"type"`
	Value      any    `json:"value"`
}

type ashbyUpdate struct {
	AssessmentID    string       `json:"assessment_id"`
	Timestamp       int64        `json:"timestamp"`
	Status          *ashbyValue  `json:"assessment_status,omitempty"`
	ProfileURL      *ashbyValue  `json:"assessment_profile_url,omitempty"`
	Result          *ashbyValue  `json:"assessment_result,omitempty"`
	CancelledReason *ashbyValue  `json:"cancelled_reason,omitempty"`
	Metadata        []ashbyValue `json:"metadata,omitempty"`
}

// Callback implements Adapter.
func (ashby) Callback(c store.PartnerCallback) (*Call, error) {
	update := ashbyUpdate{AssessmentID: c.Order.ID, Timestamp: c.At.UnixMilli()}
	session := c.Order.Session
	cancelled := func(reason string) *ashbyValue {
		return &ashbyValue{"cancelled_reason", "Reason", "string", reason}
	}
	status := func(text string) *ashbyValue { return &ashbyValue{"status", "Status", "string", text} }
	switch session.Status {
	case rules.SessionInvited:
		return nil, nil //nolint:nilnil // there is nothing to report yet
	case rules.SessionInProgress:
		update.Status = status("Started")
	case rules.SessionInReview:
		update.Status = status("In review")
	case rules.SessionExpired:
		update.CancelledReason = cancelled("The candidate did not start in time.")
	case rules.SessionCancelled:
		update.CancelledReason = cancelled("The assessment was cancelled.")
	case rules.SessionCompleted, rules.SessionDisqualified:
		update.Status = status("Completed")
		if session.Status == rules.SessionDisqualified {
			update.Status = status("Disqualified")
		}
		update.Result = &ashbyValue{"score", "Score in percent", "numeric_score", 0.0}
		if session.Score != nil {
			update.Result.Value = *session.Score
		}
		update.ProfileURL = &ashbyValue{"result_url", "Result", "url", c.Order.ResultURL}
		if session.Passed != nil {
			update.Metadata = append(update.Metadata, ashbyValue{"passed", "Passed", "boolean_success", *session.Passed})
		}
	}
	body, err := json.Marshal(update)
	return &Call{Method: http.MethodPost, URL: ashbyUpdateURL, Authorization: basic(c.Key), Body: body}, err
}

// Rejection implements Adapter.
func (ashby) Rejection(response string) string {
	var answer struct {
		Success *bool           `json:"success"`
		Errors  json.RawMessage `json:"errors"`
	}
	if json.Unmarshal([]byte(response), &answer) != nil || answer.Success == nil || *answer.Success {
		return ""
	}
	return "Ashby refused the update: " + string(answer.Errors)
}
