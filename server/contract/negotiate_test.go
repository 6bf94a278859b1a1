package contract

import "testing"

// Each operation that returns JSON refuses the header before it changes anything, and no other one does.
func TestNotAcceptable(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		e := a.estate()
		for _, o := range everyOperation(t) {
			r := e.wellFormed(o, e.right(o))
			r.Header.Set("Accept", "text/html")
			answer := a.exchange(r)
			if isRefused := answer.status == 406; isRefused != returnsJSON(o) {
				t.Errorf("%s: %d %s", o.id, answer.status, answer.body)
			} else if isRefused {
				answer.want(406, "not_acceptable")
			}
		}
	})
}

// returnsJSON reports whether a successful response of the operation is JSON.
func returnsJSON(o described) bool {
	described := contract().document.Paths.Value(o.path).GetOperation(o.method)
	for status, answer := range described.Responses.Map() {
		if status < "300" && answer.Value.Content["application/json"] != nil {
			return true
		}
	}
	return false
}
