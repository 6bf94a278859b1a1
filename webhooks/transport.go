package webhooks

import (
	"errors"
	"net/http"
)

// Transport sends requests that need their response, such as those to OpenID Connect providers, with the address checks
// of the dispatcher. The caller bounds their time and the size of responses.
type Transport struct{ client *client }

// NewTransport creates a transport from the dispatcher's options.
func NewTransport(opts Options) *Transport { return &Transport{newClient(opts.withDefaults())} }

var errUserInformation = errors.New("the address has user information")

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.User != nil {
		return nil, errUserInformation
	}
	return t.client.roundTrip(request.Clone(request.Context()))
}
