package contract

import "testing"

// defaultLimit is the number of items of a page without a limit.
const defaultLimit = 20

// The default page size of the server is the one in openapi.yaml.
func TestDefaultLimit(t *testing.T) {
	limit := contract().document.Components.Parameters["Limit"].Value.Schema.Value
	if limit.Default != float64(defaultLimit) {
		t.Errorf("the default of the parameter Limit is %v, want %d", limit.Default, defaultLimit)
	}
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		for range defaultLimit + 1 {
			o.key()
		}
		if got := len(a.do("GET", "/v1/api-keys", o.owner, nil).want(200).list("data")); got != defaultLimit {
			t.Errorf("a page has %d items, want %d", got, defaultLimit)
		}
	})
}
