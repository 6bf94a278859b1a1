// Command openid-provider is an OpenID Connect provider for tests in a browser: the example of github.com/zitadel/oidc,
// which is a certified provider, with the people of a test. It is a module of its own, so that the service does not
// depend on it.
//
// Usage: openid-provider -redirect-uri URL -people JSON
//
// It prints its issuer, and runs until it is stopped.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

// person is a person of the provider. The ID is the subject.
type person struct {
	storage.User
	Groups []string // a custom claim
}

// people implements storage.UserStore.
type people []*person

func (p people) find(is func(*person) bool) *person {
	for _, candidate := range p {
		if is(candidate) {
			return candidate
		}
	}
	return nil
}

func (p people) user(is func(*person) bool) *storage.User {
	if found := p.find(is); found != nil {
		return &found.User
	}
	return nil
}

// GetUserByID returns the person with a subject, or nil.
func (p people) GetUserByID(id string) *storage.User {
	return p.user(func(candidate *person) bool { return candidate.ID == id })
}

// GetUserByUsername returns the person with a name, or nil.
func (p people) GetUserByUsername(name string) *storage.User {
	return p.user(func(candidate *person) bool { return candidate.Username == name })
}

// ExampleClientID returns the client of the device flow, which no test uses.
func (p people) ExampleClientID() string { return "" }

// withGroups adds the claim "groups" to the UserInfo response.
type withGroups struct {
	*storage.Storage
	people people
}

// SetUserinfoFromToken sets the claims of the UserInfo response.
func (s withGroups) SetUserinfoFromToken(
	ctx context.Context, info *oidc.UserInfo, tokenID, subject, origin string,
) error {
	if err := s.Storage.SetUserinfoFromToken(ctx, info, tokenID, subject, origin); err != nil {
		return err
	}
	found := s.people.find(func(candidate *person) bool { return candidate.ID == subject })
	if found != nil && found.Groups != nil {
		info.AppendClaims("groups", found.Groups)
	}
	return nil
}

func main() {
	address := flag.String("addr", "127.0.0.1:0", "where it listens")
	clientID := flag.String("client-id", "assay", "the client")
	secret := flag.String("client-secret", "secret", "the client's secret")
	redirect := flag.String("redirect-uri", "", "the client's redirect URI")
	list := flag.String("people", "[]", `as JSON: [{"ID": "", "Username": "", "Password": "", "FirstName": "", "LastName": "",
"Email": "", "EmailVerified": true, "Groups": [""]}]`)
	flag.Parse()

	var known people
	if err := json.Unmarshal([]byte(*list), &known); err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	issuer := "http://" + listener.Addr().String()
	storage.RegisterClients(storage.WebClient(*clientID, *secret, *redirect))
	server := &http.Server{
		Handler: exampleop.SetupServer(issuer, withGroups{storage.NewStorage(known), known},
			slog.New(slog.DiscardHandler), false),
		ReadHeaderTimeout: 10 * time.Second,
	}
	fmt.Println(issuer)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
