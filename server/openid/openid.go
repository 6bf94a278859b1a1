// Package openid signs people in with OpenID Connect providers of organizations: the authorization code flow with PKCE
// (OpenID Connect Core 1.0, RFC 7636, RFC 9207). It knows no database and sets no cookie.
package openid

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/oauth2"

	"assay/store"
)

const (
	// Timeout limits one request to a provider, from name resolution to the last byte of the response.
	Timeout = 10 * time.Second
	// maxResponse is more than any discovery document, key set, or token response has.
	maxResponse = 256 << 10
	// maxSignature is that of RSA with 4096 bits, in base64. The time of a verification grows with more than the square of
	// the length: with a key of 48 KiB it is 15 seconds.
	maxSignature = 683
	// maxProviders bounds the discovery documents and key sets in memory.
	maxProviders = 256
	// documentLifetime is how long a discovery document is used. An unknown key is fetched at once.
	documentLifetime = 10 * time.Minute
	// maxInFlight bounds the requests that wait for one provider, so that a slow one does not fill the server.
	maxInFlight = 16
)

// ErrUnavailable means that the provider did not respond as it should. ErrRejected means that what the browser or the
// provider sent is not a valid sign-in.
var (
	ErrUnavailable = errors.New("the provider is unavailable")
	ErrRejected    = errors.New("the sign-in was rejected")
)

// Options configure a Client.
type Options struct {
	// Transport sends the requests. It must refuse private addresses, except those that the operator permits.
	Transport http.RoundTripper
	// AllowInsecure permits http, for development.
	AllowInsecure bool
	Timeout       time.Duration // 0 for Timeout
	Now           func() time.Time
}

// Client speaks to the providers. It is safe for concurrent use.
type Client struct {
	opts      Options
	http      *http.Client
	providers *lru.Cache[string, *provider] // by ProviderClient.ProviderID
}

// provider is what is kept of a provider.
type provider struct {
	turns chan struct{} // one element for each request in flight
	ready chan struct{} // one element while nobody reads or writes the fields below

	found  *oidc.Provider
	readAt time.Time
	metadata
}

// metadata are the fields of the discovery document that go-oidc does not have.
type metadata struct {
	AuthMethods []string `json:"token_endpoint_auth_methods_supported"`
	SendsIssuer bool     `json:"authorization_response_iss_parameter_supported"`
}

// New creates a client.
func New(opts Options) *Client {
	providers, err := lru.New[string, *provider](maxProviders)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	opts.Timeout = cmp.Or(opts.Timeout, Timeout)
	return &Client{opts: opts, providers: providers, http: &http.Client{
		Transport: bounded{opts.Transport}, Timeout: opts.Timeout,
		// A redirect could lead a request with the client secret elsewhere. No endpoint needs one.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// of returns the provider of a client, and a function that ends the use of it.
func (c *Client) of(client store.ProviderClient) (*provider, func(), error) {
	known, ok := c.providers.Get(client.ProviderID)
	if !ok {
		known = &provider{turns: make(chan struct{}, maxInFlight), ready: make(chan struct{}, 1)}
		known.ready <- struct{}{}
		if earlier, exists, _ := c.providers.PeekOrAdd(client.ProviderID, known); exists {
			known = earlier
		}
	}
	select {
	case known.turns <- struct{}{}:
		return known, func() { <-known.turns }, nil
	default:
		return nil, nil, fmt.Errorf("%w: %d requests are waiting for it", ErrUnavailable, maxInFlight)
	}
}

// discover returns the discovery document of a provider (OpenID Connect Discovery 1.0, section 4).
func (c *Client) discover(
	ctx context.Context, known *provider, client store.ProviderClient,
) (*oidc.Provider, metadata, error) {
	select {
	case <-known.ready:
		defer func() { known.ready <- struct{}{} }()
	case <-ctx.Done():
		return nil, metadata{}, fmt.Errorf("%w: %w", ErrUnavailable, ctx.Err())
	}
	if age := c.opts.Now().Sub(known.readAt); known.found != nil && age >= 0 && age < documentLifetime {
		return known.found, known.metadata, nil
	}
	found, err := oidc.NewProvider(ctx, client.Issuer)
	if err != nil {
		return nil, metadata{}, discoveryError(err)
	}
	var more metadata
	if err := found.Claims(&more); err != nil {
		return nil, metadata{}, fmt.Errorf("%w: its discovery document is not valid", ErrUnavailable)
	}
	known.found, known.metadata, known.readAt = found, more, c.opts.Now()
	return found, more, nil
}

// discoveryError does not contain the response, which can be long and have anything.
func discoveryError(err error) error {
	var sending *url.Error
	var mismatch *oidc.IssuerMismatchError
	switch {
	case errors.As(err, &sending):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	case errors.As(err, &mismatch):
		return fmt.Errorf("%w: its discovery document has another issuer", ErrUnavailable)
	}
	return fmt.Errorf("%w: its discovery document is missing or not valid", ErrUnavailable)
}

// context returns a context with which go-oidc and oauth2 use the bounded client.
func (c *Client) context(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	return oidc.ClientContext(ctx, c.http), cancel
}

func (c *Client) config(
	found *oidc.Provider, more metadata, client store.ProviderClient, callback string,
) (*oauth2.Config, error) {
	endpoint := found.Endpoint()
	address, err := url.Parse(endpoint.AuthURL)
	if err != nil || address.Host == "" ||
		address.Scheme != "https" && (address.Scheme != "http" || !c.opts.AllowInsecure) {
		return nil, fmt.Errorf("%w: its authorization endpoint is no https address", ErrUnavailable)
	}
	// Without detection: a failed attempt would use up the code.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if len(more.AuthMethods) > 0 && !contains(more.AuthMethods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: client.ClientID, ClientSecret: client.ClientSecret, Endpoint: endpoint, RedirectURL: callback,
		Scopes: client.Scopes,
	}, nil
}

// AuthorizationURL returns where the browser signs in. Error: ErrUnavailable.
func (c *Client) AuthorizationURL(
	ctx context.Context, client store.ProviderClient, callback string, attempt store.ProviderAttempt,
) (string, error) {
	known, done, err := c.of(client)
	if err != nil {
		return "", err
	}
	defer done()
	ctx, cancel := c.context(ctx)
	defer cancel()
	found, more, err := c.discover(ctx, known, client)
	if err != nil {
		return "", err
	}
	config, err := c.config(found, more, client, callback)
	if err != nil {
		return "", err
	}
	return config.AuthCodeURL(attempt.State, oidc.Nonce(attempt.Nonce()),
		oauth2.S256ChallengeOption(attempt.Verifier())), nil
}

// Callback is what the browser brings back from the provider.
type Callback struct {
	Code   string
	Issuer string // RFC 9207; "" for none
	Error  string // RFC 6749, section 4.1.2.1; "" for none
}

// Identify exchanges the code, and returns the person of the verified ID token. Errors: ErrUnavailable, ErrRejected.
// They contain neither the code nor a token.
func (c *Client) Identify(
	ctx context.Context, client store.ProviderClient, callback string, attempt store.ProviderAttempt, in Callback,
) (store.ProviderIdentity, error) {
	known, done, err := c.of(client)
	if err != nil {
		return store.ProviderIdentity{}, err
	}
	defer done()
	ctx, cancel := c.context(ctx)
	defer cancel()
	found, more, err := c.discover(ctx, known, client)
	if err != nil {
		return store.ProviderIdentity{}, err
	}
	switch {
	case in.Issuer != "" && in.Issuer != client.Issuer, in.Issuer == "" && more.SendsIssuer:
		return store.ProviderIdentity{}, fmt.Errorf("%w: the response is of another issuer", ErrRejected)
	case in.Error != "" || in.Code == "":
		return store.ProviderIdentity{}, fmt.Errorf("%w: by the provider", ErrRejected)
	}
	config, err := c.config(found, more, client, callback)
	if err != nil {
		return store.ProviderIdentity{}, err
	}
	token, err := config.Exchange(ctx, in.Code, oauth2.VerifierOption(attempt.Verifier()))
	if err != nil {
		return store.ProviderIdentity{}, exchangeError(err)
	}
	verified, err := c.verify(ctx, found, client, token, attempt)
	if err != nil {
		return store.ProviderIdentity{}, err
	}
	return identity(ctx, found, client, token, verified)
}

// exchangeError does not contain the body of the response, which can contain anything.
func exchangeError(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil &&
		refused.Response.StatusCode < http.StatusInternalServerError {
		return fmt.Errorf("%w: the token endpoint responded with status %d", ErrRejected, refused.Response.StatusCode)
	}
	return fmt.Errorf("%w: the token endpoint", ErrUnavailable)
}

// verify checks the ID token (OpenID Connect Core 1.0, section 3.1.3.7).
func (c *Client) verify(
	ctx context.Context, found *oidc.Provider, client store.ProviderClient, token *oauth2.Token,
	attempt store.ProviderAttempt,
) (*oidc.IDToken, error) {
	raw, _ := token.Extra("id_token").(string)
	if raw == "" {
		return nil, fmt.Errorf("%w: the response has no ID token", ErrRejected)
	}
	// go-oidc also accepts the JSON serialization, which is none of an ID token (OpenID Connect Core 1.0, section 2).
	parts := strings.Split(raw, ".")
	if len(parts) != 3 || strings.Contains(raw, "{") || len(parts[2]) > maxSignature {
		return nil, fmt.Errorf("%w: the ID token is not a JWT, or its signature is too long", ErrRejected)
	}
	verified, err := found.Verifier(&oidc.Config{ClientID: client.ClientID, Now: c.opts.Now}).Verify(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("%w: the ID token is not valid", ErrRejected)
	}
	var party struct {
		Authorized string `json:"azp"`
	}
	if err := verified.Claims(&party); err != nil {
		return nil, fmt.Errorf("%w: the ID token is not valid", ErrRejected)
	}
	switch {
	case subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(attempt.Nonce())) != 1:
		return nil, fmt.Errorf("%w: the nonce of the ID token is wrong", ErrRejected)
	case verified.Subject == "" || len(verified.Subject) > 255:
		return nil, fmt.Errorf("%w: the ID token has no subject", ErrRejected)
	case party.Authorized != "" && party.Authorized != client.ClientID,
		len(verified.Audience) > 1 && party.Authorized == "":
		return nil, fmt.Errorf("%w: the ID token is for another client", ErrRejected)
	}
	return verified, nil
}
