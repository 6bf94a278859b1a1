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

	"assay/server/request"
	"assay/store"
)

const maxValues = 1000 // of the claim for roles

// identity reads the claims of a person. Providers can send claims of scopes only from the UserInfo endpoint (OpenID
// Connect Core 1.0, section 5.4), which is asked if the ID token lacks one that is needed.
func identity(
	ctx context.Context, found *oidc.Provider, client store.ProviderClient, token *oauth2.Token, verified *oidc.IDToken,
) (store.ProviderIdentity, error) {
	claims := map[string]any{}
	if err := verified.Claims(&claims); err != nil {
		return store.ProviderIdentity{}, fmt.Errorf("%w: the ID token is not valid", ErrRejected)
	}
	hasEmail := text(claims, "email") != ""
	_, hasRoles := claims[client.RoleClaim]
	ofAddress := claims // the address, and whether it is verified, belong together
	if (!hasEmail || client.RoleClaim != "" && !hasRoles) && found.UserInfoEndpoint() != "" {
		info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return store.ProviderIdentity{}, fmt.Errorf("%w: the UserInfo endpoint", ErrUnavailable)
		}
		more := map[string]any{}
		if err := info.Claims(&more); err != nil || info.Subject != verified.Subject {
			return store.ProviderIdentity{}, fmt.Errorf("%w: the UserInfo response is of another person", ErrRejected)
		}
		if !hasEmail {
			ofAddress = more
		}
		for name, value := range more {
			if _, exists := claims[name]; !exists {
				claims[name] = value
			}
		}
	}
	person := store.ProviderIdentity{
		Issuer: verified.Issuer, Subject: verified.Subject, Email: text(ofAddress, "email"),
		EmailVerified: isVerified(ofAddress), Name: strings.TrimSpace(text(claims, "name")),
		Claims: values(claims[client.RoleClaim]),
	}
	if !request.Accepts(ctx, "Email", person.Email) {
		person.Email, person.EmailVerified = "", false
	}
	if !request.Accepts(ctx, "PersonName", person.Name) {
		person.Name, _, _ = strings.Cut(person.Email, "@")
	}
	if !isLine(person.Subject) {
		return store.ProviderIdentity{}, fmt.Errorf("%w: the subject is not valid", ErrRejected)
	}
	return person, nil
}

// isVerified reports whether the provider has verified the address. Entra ID never sends email_verified. If the company
// asks for xms_edov, it says that the address is of a domain that the company has verified at Entra ID.
func isVerified(claims map[string]any) bool {
	if said, has := claims["email_verified"]; has {
		return isTrue(said)
	}
	said := claims["xms_edov"]
	return isTrue(said) || said == "1" || said == 1.0
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
