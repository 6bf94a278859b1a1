package server

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// No page beside /v1 fails for any text in its address or its form, on either database: PostgreSQL rejects NUL, and
// text that is not UTF-8.
func TestPagesBearEachText(t *testing.T) {
	parameter := regexp.MustCompile(`:\w+|\*`)
	onEach(t, func(t *testing.T, a *api) {
		tested := 0
		for _, route := range a.server.echo.Routes() {
			if strings.HasPrefix(route.Path, "/v1") || route.Method != http.MethodGet && route.Method != http.MethodPost {
				continue
			}
			for _, text := range []string{"%00", "%ff%fe", "%ed%a0%80", "%2e%2e%2f", "%f0%9f%90%b3", strings.Repeat("A", 3000)} {
				query := "?token=" + text + "&lang=" + text + "&id=" + text
				for _, form := range []url.Values{nil, person("\x00\xff", text), person(text, text+"@example.com")} {
					if (form != nil) != (route.Method == http.MethodPost) {
						continue
					}
					tested++
					got := a.visit("192.0.2.1", parameter.ReplaceAllString(route.Path, text)+query, form)
					if got.status >= 500 {
						t.Errorf("%s%s: %d\n%s", got.name, query, got.status, got.body)
					}
				}
			}
		}
		if tested < 100 {
			t.Errorf("tested only %d requests", tested)
		}
	}, sendsEmail)
}
