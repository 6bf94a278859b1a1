package openid

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"assay/store"
)

const (
	maxEmail  = 254
	maxName   = 200
	maxValues = 1000 // of the claim for roles
)

// identity reads the claims of a person. Providers can send claims of scopes only from the UserInfo endpoint (OpenID
// Connect Core 1.0, section 5.4), which is asked if the ID token lacks one that is needed.
func identity(
	ctx context.Context, found *oidc.Provider, client store.ProviderClient, token *oauth2.Token, verified *oidc.IDToken,
) (store.ProviderIdentity, error) {
	claims := map[string]any{}
	if err := verified.Claims(&claims); err != nil {
		return store.ProviderIdentity{}, fmt.Errorf("%w: the ID token is not valid", ErrRejected)
	}
	_, hasEmail := claims["email"]
	_, hasRoles := claims[client.RoleClaim]
	if (!hasEmail || client.RoleClaim != "" && !hasRoles) && found.UserInfoEndpoint() != "" {
		info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return store.ProviderIdentity{}, fmt.Errorf("%w: the UserInfo endpoint", ErrUnavailable)
		}
		more := map[string]any{}
		if err := info.Claims(&more); err != nil || info.Subject != verified.Subject {
			return store.ProviderIdentity{}, fmt.Errorf("%w: the UserInfo response is of another person", ErrRejected)
		}
		if hasEmail { // the address and whether it is verified belong together
			delete(more, "email")
			delete(more, "email_verified")
		}
		for name, value := range more {
			if _, exists := claims[name]; !exists || !hasEmail && name == "email_verified" {
				claims[name] = value
			}
		}
	}
	person := store.ProviderIdentity{
		Issuer: verified.Issuer, Subject: verified.Subject, Email: text(claims, "email"),
		EmailVerified: isTrue(claims["email_verified"]), Name: text(claims, "name"), Claims: values(claims[client.RoleClaim]),
	}
	if !isAddress(person.Email) {
		person.Email, person.EmailVerified = "", false
	}
	person.Name = strings.TrimSpace(person.Name)
	if person.Name == "" || len(person.Name) > maxName || !isLine(person.Name) {
		person.Name, _, _ = strings.Cut(person.Email, "@")
	}
	if !isLine(person.Subject) {
		return store.ProviderIdentity{}, fmt.Errorf("%w: the subject is not valid", ErrRejected)
	}
	return person, nil
}

func text(claims map[string]any, name string) string {
	value, _ := claims[name].(string)
	return value
}

// isTrue reports whether a claim is true. Some providers send it as a text.
func isTrue(claim any) bool { return claim == true || claim == "true" }

// values returns the texts of a claim: a text, or a list of texts.
func values(claim any) []string {
	var found []string
	switch claim := claim.(type) {
	case string:
		found = []string{claim}
	case []any:
		for _, value := range claim[:min(len(claim), maxValues)] {
			if value, ok := value.(string); ok {
				found = append(found, value)
			}
		}
	}
	return found
}

// isLine reports whether both databases accept a text, and whether it is one line.
func isLine(text string) bool {
	return strings.ToValidUTF8(text, "") == text && !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029'
	})
}

func isAddress(email string) bool {
	return len(email) <= maxEmail && strings.Count(email, "@") == 1 && !strings.ContainsAny(email, " ,;<>\"") &&
		isLine(email)
}

func contains(list []string, value string) bool { return slices.Contains(list, value) }

// bounded is a transport that limits the size of each response.
type bounded struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	response.Body = &boundedBody{ReadCloser: response.Body, left: maxResponse}
	return response, nil
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(into []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the response has more than %d bytes", maxResponse)
	}
	n, err := b.ReadCloser.Read(into[:min(len(into), b.left)])
	b.left -= n
	return n, err
}
