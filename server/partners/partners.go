// Package partners speaks the protocols in which applicant tracking systems order assessments
// from providers such as Assay. An adapter translates between one protocol and the store. The server authenticates the
// requests, limits them, and records them; a Worker sends the callbacks. README.md says what was tested, and how.
package partners

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"assay/store"
)

// Adapter is the protocol of one applicant tracking system.
type Adapter interface {
	// Partner is the name of the system, and of the path below /partners.
	Partner() store.Partner
	// Routes are the addresses that the system calls.
	Routes() []Route
	// Names are what the system calls the fields of an invite, by the JSON Pointers of CandidateSessionCreate and /url.
	Names() map[string]string
	// Refuse returns the status and the body of a response to a request that was refused. detail has no secrets.
	Refuse(status int, detail string) (int, any)
	// Callback returns what to send when a session has changed, or nil if the system needs to know nothing now.
	Callback(store.PartnerCallback) (*Call, error)
	// Rejection returns why a callback was refused whose response has a status below 300, or "".
	Rejection(response string) string
}

// Adapters returns the adapters. A further system is a file with an adapter, a row here, and a store.Partner.
func Adapters() []Adapter { return []Adapter{greenhouse{}, ashby{}, workable{}} }

// Route is an address that a system calls.
type Route struct {
	Method, Path string // the path below /partners/<partner>
	Status       int    // of a response without a refusal
	Do           func(context.Context, *Request) (any, error)
}

// Call is a callback.
type Call struct {
	Method, URL   string
	Authorization string // must not be logged
	Body          []byte // JSON, or nil for none
}

// Request is an authenticated request of a system.
type Request struct {
	Store   *store.Store
	Scope   store.Scope
	Partner store.Partner
	Query   url.Values
	Body    map[string]any // empty for a GET
	// Check refuses an invite that the contract does not permit.
	Check func(context.Context, store.Invite) error

	// What the request was about, for the list of exchanges. The methods of the request set both.
	SessionID string
	Problem   string // that the system reports
}

// Text returns a text in the body, or "" if there is none. path are the names of objects, and the last one of the text.
func (r *Request) Text(path ...string) string {
	var value any = r.Body
	for _, name := range path {
		fields, _ := value.(map[string]any)
		value = fields[name]
	}
	text, _ := value.(string)
	return text
}

// Tests returns the assessments that the system can order.
func (r *Request) Tests(ctx context.Context) ([]store.PartnerTest, error) {
	return r.Store.ListPartnerTests(ctx, r.Scope)
}

// Order invites the candidate of the body, whose fields have the same names in all protocols. The caller sets the other
// fields.
func (r *Request) Order(ctx context.Context, in store.PartnerRequest) (store.PartnerOrder, error) {
	in.Partner = r.Partner
	in.Invite.CandidateName = strings.TrimSpace(r.Text("candidate", "first_name") + " " + r.Text("candidate", "last_name"))
	in.Invite.CandidateEmail = r.Text("candidate", "email")
	if err := r.Check(ctx, in.Invite); err != nil {
		return store.PartnerOrder{}, err
	}
	order, err := r.Store.OrderForPartner(ctx, r.Scope, in)
	r.SessionID = order.SessionID
	return order, err
}

// Status returns an order.
func (r *Request) Status(ctx context.Context, id string) (store.PartnerOrder, error) {
	order, err := r.Store.RetrievePartnerOrder(ctx, r.Scope, r.Partner, orderID(id))
	r.SessionID = order.SessionID
	return order, err
}

// Cancel cancels the session of an order.
func (r *Request) Cancel(ctx context.Context, id string) (store.PartnerOrder, error) {
	order, err := r.Store.CancelPartnerOrder(ctx, r.Scope, r.Partner, orderID(id))
	r.SessionID = order.SessionID
	return order, err
}

var isOrderID = regexp.MustCompile(`^ord_[0-9a-z]{26}$`).MatchString

// orderID returns the id, or "", which no order has, for a text that a database may not accept.
func orderID(id string) string {
	if !isOrderID(id) {
		return ""
	}
	return id
}

// errors of a report are at most this many.
const maxReported = 20

// texts returns the texts of a list in the body.
func (r *Request) texts(name string) []string {
	list, _ := r.Body[name].([]any)
	var texts []string
	for _, item := range list {
		if text, ok := item.(string); ok && len(texts) < maxReported {
			texts = append(texts, text)
		}
	}
	return texts
}

// basic is the Authorization header of a key as the name, without a password (RFC 7617).
func basic(key string) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(key, "")
	return r.Header.Get("Authorization")
}
