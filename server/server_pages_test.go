package server

import (
	"assay/store"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// No page beside /v1 fails for any text in its address or its form, on either database: PostgreSQL rejects NUL, and
// text that is not UTF-8.
func TestPagesBearEachText(t *testing.T) {
	parameter := regexp.MustCompile(`:\w+|\*`)
	onEach(t, func(t *testing.T, s *inside) {
		tested := 0
		for _, route := range s.echo.Routes() {
			if strings.HasPrefix(route.Path, "/v1") || route.Method != http.MethodGet && route.Method != http.MethodPost {
				continue
			}
			for _, text := range []string{"%00", "%ff%fe", "%ed%a0%80", "%2e%2e%2f", "%f0%9f%90%b3", strings.Repeat("A", 3000)} {
				query := "?token=" + text + "&lang=" + text + "&id=" + text
				for _, form := range []url.Values{
					nil, {"name": {"\x00\xff"}, "email": {text}}, {"name": {text}, "email": {text + "@example.com"}},
				} {
					if (form != nil) != (route.Method == http.MethodPost) {
						continue
					}
					tested++
					path := parameter.ReplaceAllString(route.Path, text) + query
					r := httptest.NewRequestWithContext(t.Context(), route.Method, path, strings.NewReader(form.Encode()))
					if form != nil {
						r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
					}
					answer := httptest.NewRecorder()
					s.ServeHTTP(answer, r)
					if answer.Code >= 500 {
						t.Errorf("%s %s: %d\n%s", route.Method, path, answer.Code, answer.Body)
					}
				}
			}
		}
		if tested < 100 {
			t.Errorf("tested only %d requests", tested)
		}
	}, func(opts *store.Options) { opts.SendsEmail = true })
}
