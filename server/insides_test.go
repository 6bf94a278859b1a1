package server

import (
	"log/slog"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// inside is a server for the tests that send requests and also need what is inside the server. All other tests
// that send requests are in server/contract.
type inside struct {
	*Server
}

// onEach runs test against a server on each kind of database, beside other tests. changes modify the options of the
// store.
func onEach(t *testing.T, test func(t *testing.T, s *inside), changes ...func(*store.Options)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		opened := storetest.OpenURL(t, storetest.URL(t, database), clock.Now, changes...)
		server, err := New(Options{
			Store: opened, BaseURL: "https://assay.test", Now: clock.Now, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		test(t, &inside{server})
	})
}
