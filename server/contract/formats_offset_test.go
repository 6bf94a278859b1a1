package contract

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

// A time in a query may have an offset without a colon, and a + that the client did
// not encode. Both mean the same time.
func TestOffsetsInQuery(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		o.publish(oneQuestion())
		created := a.store.Now()
		a.clock.Advance(5 * time.Minute)
		at := func(zone int, offset string) string {
			return created.In(time.FixedZone("", zone)).Format("2006-01-02T15:04:05") + offset
		}
		for _, test := range []struct {
			raw   string
			count int
		}{
			{url.QueryEscape(at(0, "+0000")), 1}, {url.QueryEscape(at(0, "-0000")), 1}, {at(0, "+0000"), 1},
			{at(0, "+00:00"), 1}, {url.QueryEscape(at(2*3600, "+0200")), 1}, {at(2*3600, "+02:00"), 1}, {at(2*3600, "+0200"), 1},
			{url.QueryEscape(at(-5*3600-1800, "-0530")), 1}, {at(0, ".000+0000"), 1},
			{at(0, "-0001"), 0}, {at(0, "+0001"), 1}, // a minute later and a minute earlier
		} {
			path := "/v1/assessments?limit=1&updatedSince=" + test.raw
			if got := len(a.do("GET", path, o.owner, nil).want(200).list("data")); got != test.count {
				t.Errorf("%s: %d assessments, want %d", path, got, test.count)
			}
		}

		// The link to the next page has the same filter.
		o.publish(oneQuestion())
		first := a.do("GET", "/v1/assessments?limit=1&updatedSince="+at(0, "+0000"), o.owner, nil).want(200)
		next, _, _ := strings.Cut(strings.TrimPrefix(first.header.Get("Link"), "<"+a.base), ">")
		if rest := a.do("GET", next, o.owner, nil).want(200); len(rest.list("data")) != 1 || rest.header.Get("Link") != "" {
			t.Errorf("%s: %s", next, rest.body)
		}

		for _, offset := range []string{"", "0000", " ", "+00", "+000", "+00000", "+00 00",
			"%2B%2B0000", "++00:00", "+2400", "+0060", "Z+0000"} {
			a.do("GET", "/v1/assessments?updatedSince="+strings.ReplaceAll(at(0, offset), " ", "%20"), o.owner, nil).
				blames("query updatedSince invalid_format")
		}
		// A body is not a query: its times are RFC 3339.
		a.do("POST", "/v1/api-keys", o.owner, object{
			"name": "x", "scopes": []string{"results:read"},
			"expiresAt": created.AddDate(0, 0, 9).Format("2006-01-02T15:04:05-0700"),
		}).blames("body /expiresAt invalid_format")
	})
}

// A percentage has at most two decimals, however the number is written.
func TestDecimals(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		create := func(passingScore, minScore string) response {
			return a.do("POST", "/v1/assessments", o.owner, fmt.Sprintf(
				`{"title":"x","passingScore":%s,"stages":[{"title":"y","gate":{"required":true,"minScore":%s}}]}`,
				passingScore, minScore))
		}
		for _, number := range []string{
			"0", "100", "82.5", "82.55", "82.550", "8.255e1", "8255e-2",
			"0.01", "0.07", "0.29", "0.57", "1.1", "33.33", "64.1", "99.99",
		} {
			create(number, number).want(201)
		}
		for _, number := range []string{"82.555", "0.001", "1e-3", "33.333333333333336", "0.30000000000000004", "99.999",
			"82.5500001"} {
			create(number, "50").blames("body /passingScore invalid_value")
			create("50", number).blames("body /stages/0/gate/minScore invalid_value")
		}

		id := create("50", "50").text("data.id")
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"passingScore": 82.555}).
			blames("body /passingScore invalid_value")
	})
}
