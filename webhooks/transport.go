package webhooks

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// Transport sends requests that need their response, such as those to OpenID Connect providers, with the address checks
// of the dispatcher. The caller bounds their time and the size of responses.
type Transport struct {
	client  *client
	private *client // reaches all addresses
	hosts   []string
}

// NewTransport creates a transport from the dispatcher's options. The hosts can have private addresses and any port,
// but need https.
func NewTransport(opts Options, hosts []string) *Transport {
	opts = opts.withDefaults()
	unguarded := opts
	unguarded.AllowInsecure = true
	return &Transport{newClient(opts), newClient(unguarded), hosts}
}

var errUserInformation = errors.New("the address has user information")

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.User != nil {
		return nil, errUserInformation
	}
	client := t.client
	if request.URL.Scheme == "https" && slices.Contains(t.hosts, strings.ToLower(request.URL.Hostname())) {
		client = t.private
	}
	return client.roundTrip(request.Clone(request.Context()))
}
