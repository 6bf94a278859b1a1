package request

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"testing"

	"assay/gen"
	"assay/store"
	"assay/store/storetest"
)

// inside is a path with a few operations, for the tests that send requests and also need what is inside the path. All
// other tests that send requests are in server/contract.
type inside struct {
	*Path
	gen.StrictServerInterface
	t *testing.T
}

// onEach runs test against a path on each kind of database, beside other tests.
func onEach(t *testing.T, test func(t *testing.T, s *inside)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		p, err := New(Options{
			Store: storetest.OpenURL(t, storetest.URL(t, database), clock.Now), BaseURL: "https://assay.test", Now: clock.Now,
			Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		s := &inside{Path: p, t: t}
		p.Operations(s)
		test(t, s)
	})
}

// RetrieveMe accepts each person.
func (s *inside) RetrieveMe(context.Context, gen.RetrieveMeRequestObject) (gen.RetrieveMeResponseObject, error) {
	return gen.RetrieveMe200JSONResponse{}, nil
}

// ListEventTypes accepts each person.
func (s *inside) ListEventTypes(
	context.Context, gen.ListEventTypesRequestObject,
) (gen.ListEventTypesResponseObject, error) {
	return gen.ListEventTypes200JSONResponse{}, nil
}

// Refresh accepts each refresh token of a login, any number of times.
func (s *inside) Refresh(ctx context.Context, in gen.RefreshRequestObject) (gen.RefreshResponseObject, error) {
	if _, _, err := s.LoginOf(ctx, in.Body.RefreshToken); err != nil {
		return nil, err
	}
	return gen.Refresh200JSONResponse{}, nil
}

// ExchangeResultToken accepts each token of a result, without a result.
func (s *inside) ExchangeResultToken(
	ctx context.Context, in gen.ExchangeResultTokenRequestObject,
) (gen.ExchangeResultTokenResponseObject, error) {
	if _, err := s.ParseResultToken(ctx, in.Token); err != nil {
		return nil, err
	}
	return gen.ExchangeResultToken200JSONResponse{}, nil
}

// register creates an organization. It returns the login of its owner, and an API key that reads results.
func (s *inside) register() (login store.Login, key string) {
	s.t.Helper()
	ctx := s.t.Context()
	made, err := s.store.Register(ctx, store.Scope{}, store.Registration{
		OrganizationName: "O", Name: "Ada Lovelace", Email: "ada@example.com", Password: "correct horse battery staple",
	})
	if err != nil {
		s.t.Fatal(err)
	}
	owner := store.Scope{OrganizationID: made.Login.OrganizationID, UserID: made.Login.UserID, Role: store.Owner}
	created, err := s.store.CreateAPIKey(ctx, owner, store.NewAPIKey{Name: "K", Scopes: []string{"results:read"}})
	if err != nil {
		s.t.Fatal(err)
	}
	return made.Login, created.Secret
}

// do sends a request with a JSON body, if there is one. The name and value of a header are its credential, if given.
func (s *inside) do(method, path string, body any, credential ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, nil)
	if body != nil {
		content, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		r = httptest.NewRequestWithContext(s.t.Context(), method, path, bytes.NewReader(content))
		r.Header.Set("Content-Type", "application/json")
	}
	if len(credential) == 2 {
		r.Header.Set(credential[0], credential[1])
	}
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, r)
	return answer
}
