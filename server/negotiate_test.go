package server

import "testing"

// A request for something other than JSON gets 406, and one that nobody can read gets JSON.
func TestAccept(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		accept []string
		want   bool
	}{
		{nil, true},
		{[]string{""}, true},
		{[]string{"*/*"}, true},
		{[]string{"*"}, true},
		{[]string{"application/json"}, true},
		{[]string{"Application/JSON; charset=utf-8"}, true},
		{[]string{"application/*;q=0.1"}, true},
		{[]string{"application/problem+json, application/json"}, true},
		{[]string{"text/html, application/xhtml+xml, */*;q=0.8"}, true},
		{[]string{"text/html", "application/json"}, true},
		{[]string{"text/html;q=0.9,*/*;q=x"}, true},
		{[]string{"application/json;q=0, application/json;v=2"}, true},
		{[]string{"text/html"}, false},
		{[]string{"text/csv, image/*"}, false},
		{[]string{"application/problem+json"}, false},
		{[]string{"application/json;q=0, */*"}, false},
		{[]string{"*/*, application/*;q=0.0"}, false},
		{[]string{"*/*;q=0"}, false},
	} {
		if got := acceptsJSON(test.accept); got != test.want {
			t.Errorf("%q: %v, want %v", test.accept, got, test.want)
		}
	}
}
