package contract

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"assay/gen"
)

// /openapi.yaml is the file byte for byte, and /openapi.json has the same paths.
func TestServedDocument(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		asYAML := a.do("GET", "/openapi.yaml", anonymous, nil).want(200)
		if !bytes.Equal(asYAML.body, gen.Document) || asYAML.header.Get("Content-Type") != "application/yaml" {
			t.Errorf("/openapi.yaml (%s) differs from the file openapi.yaml", asYAML.header.Get("Content-Type"))
		}
		asJSON := a.do("GET", "/openapi.json", anonymous, nil).want(200)
		var document struct {
			OpenAPI string                    `json:"openapi"`
			Paths   map[string]map[string]any `json:"paths"`
		}
		err := json.Unmarshal(asJSON.body, &document)
		if err != nil || asJSON.header.Get("Content-Type") != "application/json" {
			t.Fatalf("/openapi.json (%s): %v", asJSON.header.Get("Content-Type"), err)
		}
		paths := slices.Sorted(maps.Keys(document.Paths))
		want := slices.Sorted(maps.Keys(contract().document.Paths.Map()))
		if document.OpenAPI != "3.0.3" || !slices.Equal(paths, want) {
			t.Errorf("/openapi.json has OpenAPI version %s and the paths %v, want 3.0.3 and %v", document.OpenAPI, paths, want)
		}
	})
}

// /readyz fails while the server drains and while the database is unavailable.
// /healthz then still succeeds, because a restart would not help.
func TestHealthAndReadiness(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
			if got := a.do("GET", path, anonymous, nil).want(200); string(got.body) != want {
				t.Errorf("%s: %q, want %q", path, got.body, want)
			}
		}

		other := serve(t, a.store, a.clock)
		other.server.Drain()
		other.do("GET", "/readyz", anonymous, nil).want(503, "unavailable")
		a.do("GET", "/readyz", anonymous, nil).want(200)
		if err := a.store.Close(); err != nil {
			t.Fatal(err)
		}
		a.clock.Advance(probeInterval)
		a.do("GET", "/healthz", anonymous, nil).want(200) // the process is healthy without a database
		if after := a.do("GET", "/readyz", anonymous, nil).want(503, "unavailable").header.Get("Retry-After"); after != "5" {
			t.Errorf("Retry-After %q, want 5", after)
		}
	})
}
