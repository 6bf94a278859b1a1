// Package client makes the generated client pleasant: a credential for every
// request, and problem documents (RFC 9457) as Go errors.
package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"assay.example/integration/generated/assay"
)

// Problem is the error of a request that was refused: errors.As finds it, Code
// says why, and Errors names each field that is wrong.
type Problem struct{ assay.Problem }

func (p *Problem) Error() string {
	return fmt.Sprintf("%d %s: %s (%s)", p.Status, p.Code, p.Detail, p.RequestID)
}

// Bearer is the credential of a person (an access token) or of a candidate (the
// token of their invite link).
func Bearer(token string) assay.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
}

// APIKey is the credential of an integration.
func APIKey(key string) assay.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", key)
		return nil
	}
}

// New makes a client of the service at the address, without a credential or
// with one of the above. A nil error means that the request succeeded.
func New(server string, credential ...assay.RequestEditorFn) (*assay.ClientWithResponses, error) {
	options := []assay.ClientOption{assay.WithHTTPClient(refusing{&http.Client{Timeout: 30 * time.Second}})}
	for _, c := range credential {
		options = append(options, assay.WithRequestEditorFn(c))
	}
	return assay.NewClientWithResponses(server, options...)
}

// refusing turns what is refused into an error.
type refusing struct{ client *http.Client }

func (r refusing) Do(request *http.Request) (*http.Response, error) {
	response, err := r.client.Do(request)
	if err != nil || response.StatusCode < 400 {
		return response, err
	}
	defer response.Body.Close()
	problem := &Problem{}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "application/problem+json") {
		return nil, fmt.Errorf("%s, and no problem document", response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(&problem.Problem); err != nil {
		return nil, fmt.Errorf("%s, with an unreadable problem document: %w", response.Status, err)
	}
	return nil, problem
}
