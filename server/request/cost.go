package request

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"time"

	"assay/gen"
	"assay/store"
)

// costlyOperations are the operations whose cost depends on what the organization has stored or sends: texts are
// rendered, rows are counted, or many rows are read or written. The limits of requests count them like any other.
// Operations that send to other systems are not among them, because they would wait for these in their turn.
var costlyOperations = setOf(
	"createAssessment", "retrieveAssessment", "updateAssessment", "publishAssessment", "archiveAssessment",
	"duplicateAssessment", "checkAssessment", "previewAssessment", "retrievePublicAssessment",
	"importAssessment", "importPublicAssessment", "exportAssessment", "exportPublicAssessment",
	"retrieveAssessmentStatistics", "retrieveAssessmentQuestionStatistics", "listAssessmentQuestionAnswers",
	"createAssessmentCorrection", "previewAssessmentCorrection", "createQuestion", "updateQuestion",
	"listQuestionVersions", "retrieveQuestionStatistics",
	"bulkCreateCandidateSessions", "bulkCreatePublicCandidateSessions", "bulkChangeReviewStates",
	"bulkChangePublicReviewStates", "summarizeCandidateSessions", "retrieveCandidateHistory",
	"exportCandidateSessions", "exportCandidateSpreadsheet", "exportAuditLog", "exportPublicAuditLog",
	"exportResponses", "exportPublicResponses", "exportCodeBook", "exportPublicCodeBook", "retrieveCutScore",
	"retrieveGroupStatistics",
	"retrieveResults", "previewEmailText", "replaceOrganizationLogo", "createMedia", "createPublicMedia",
	"listEvents", "listPublicEvents", "listAllDeliveries", "listAllPublicDeliveries",
	"retrieveWebhookStatistics", "retrievePublicWebhookStatistics", "replayWebhook", "replayPublicWebhook",
	"eraseCandidateData", "erasePublicCandidateData", "eraseCandidateDataByEmail", "erasePublicCandidateDataByEmail",
	"retrieveCandidateData", "retrievePublicCandidateData", "renderCandidateDataPage", "previewRetention",
)

// costlySearches are lists that are cheap unless they have the parameter q.
var costlySearches = setOf("listCandidateSessions", "listAssessments", "listQuestions")

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// cheapBody is the size of a body, in bytes, up to which every operation may check it at any time.
const cheapBody = 16 << 10

// costs bounds the work for each organization on this replica. Requests are counted where their cost differs a
// thousandfold, so costly ones take turns and have a budget of time.
//
// What counts is the time from the beginning of the turn until the response is sent: checking and executing the
// request, with its statements, encoding, and compression. It includes waiting for the database, which also works. The
// time in which the client sends the request or receives the response does not count.
type costs struct {
	budget *limiter // its tokens are milliseconds
	limit  RateLimit
	turns  *turns
	now    func() time.Time
}

// newCosts returns nil, which limits nothing, if limit.Requests is 0.
func newCosts(limit RateLimit, now func() time.Time) (*costs, error) {
	budget, err := newLimiter("work", limit, now)
	if budget == nil || err != nil {
		return nil, err
	}
	return &costs{budget: budget, limit: limit, turns: newTurns(max(1, runtime.GOMAXPROCS(0)*3/4)), now: now}, nil
}

// work is the costly work of one request. A nil *work has no bounds. It is not safe for concurrent use.
type work struct {
	*costs

	organizationID string
	whole          bool // all of the request is work, and not only checking a large body
	refusable      bool // a candidate is never refused for what the organization has done
	began          time.Time
	release        func() // ends the turn; nil while there is none
}

// workOf returns the work of a request with a valid credential, or nil without a limit.
func (p *Path) workOf(o *Operation, r *http.Request, scope store.Scope) *work {
	if p.limits.costs == nil || scope.OrganizationID == "" {
		return nil
	}
	return &work{
		costs: p.limits.costs, organizationID: scope.OrganizationID,
		whole:     costlyOperations[o.id] || costlySearches[o.id] && r.URL.Query().Has("q"),
		refusable: scope.SessionID == "",
	}
}

// beginBody begins the turn before a body of this size is checked, unless that is cheap.
func (w *work) beginBody(ctx context.Context, size int) error {
	if w == nil || !w.whole && size <= cheapBody {
		return nil
	}
	return w.begin(ctx)
}

// checked follows the check of the request: the turn begins, or it ends if only the check was costly.
func (w *work) checked(ctx context.Context) error {
	switch {
	case w == nil:
		return nil
	case !w.whole:
		w.end()
		return nil
	case w.release != nil:
		return nil
	}
	return w.begin(ctx)
}

// begin waits for the turn of the organization. It refuses the request if the organization has no budget left.
func (w *work) begin(ctx context.Context) (err error) {
	if wait := w.budget.debt(w.organizationID); w.refusable && wait > 0 {
		return w.refusal(wait)
	}
	w.release, err = w.turns.take(ctx, w.organizationID, maxWaiting)
	if errors.Is(err, errManyWait) {
		return w.refusal(time.Second)
	}
	w.began = w.now()
	return err
}

func (w *work) refusal(wait time.Duration) *Fault {
	return &Fault{
		Status: http.StatusTooManyRequests, Code: gen.ErrorCodeRateLimited, retry: atLeastASecond(wait),
		Detail: "The requests of the organization take too much work. Retry-After says how many seconds to wait.",
		policy: &store.RateLimit{Name: w.budget.name, Requests: w.limit.Requests, Window: w.limit.Window},
	}
}

// end ends the turn, if there is one, and charges the organization with its time.
func (w *work) end() {
	if w == nil || w.release == nil {
		return
	}
	w.budget.spend(w.organizationID, max(0, w.now().Sub(w.began)))
	w.release()
	w.release = nil
}

// again runs a further part of a response that is written while it is made, in a turn of its own.
func (w *work) again(ctx context.Context, part func() error) (err error) {
	if w == nil {
		return part()
	}
	if w.release, err = w.turns.take(ctx, w.organizationID, noBound); err != nil {
		return err
	}
	w.began = w.now()
	defer w.end()
	return part()
}

// InTurn runs a part of a response that is written while it is made, in a turn of its own.
func InTurn(ctx context.Context, part func() error) error { return dataOf(ctx).work.again(ctx, part) }

// spend takes a time of work from a bucket whose tokens are milliseconds. The bucket can then owe tokens, at most as
// many as it holds.
func (l *limiter) spend(client string, elapsed time.Duration) {
	b, now := l.bucket(client), l.now().UnixNano()
	price := int64(float64(elapsed) / float64(time.Millisecond) * float64(l.interval))
	for {
		fullAt := b.fullAt.Load()
		missing := min(max(fullAt-now, 0)+price, 2*l.capacity)
		if b.fullAt.CompareAndSwap(fullAt, now+missing) {
			return
		}
	}
}

// debt is the time until a bucket owes no tokens.
func (l *limiter) debt(client string) time.Duration {
	missing := min(l.bucket(client).fullAt.Load()-l.now().UnixNano(), 2*l.capacity)
	return time.Duration(max(missing-l.capacity, 0))
}
