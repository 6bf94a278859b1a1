package server_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/server"
)

// nginx repeats a request on another replica if it asks for that as .deploy/nginx.conf does. A request to another
// proxy, which does not know the location, gets no such header.
func TestStartingAsksForAnotherReplica(t *testing.T) {
	t.Parallel()
	configuration, err := os.ReadFile("../.deploy/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`proxy_set_header (X-Assay-\S+) (\S+);`).FindSubmatch(configuration)
	location := regexp.MustCompile(`location (@another\S+) \{`).FindSubmatch(configuration)
	if asked == nil || location == nil {
		t.Fatal("nginx.conf does not ask for another replica")
	}
	starting := server.Starting{
		BaseURL: "https://assay.example", Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}
	for value, want := range map[string]string{"": "", string(asked[2]): string(location[1])} {
		request := httptest.NewRequest(http.MethodPost, "/v1/auth/login", strings.NewReader("{}"))
		request.Header.Set(string(asked[1]), value)
		response := httptest.NewRecorder()
		starting.ServeHTTP(response, request)
		if got := response.Header().Get("X-Accel-Redirect"); response.Code != http.StatusServiceUnavailable || got != want {
			t.Errorf("with %q: %d, %q, want %q", value, response.Code, got, want)
		}
		if sent := response.Header().Values("Strict-Transport-Security"); len(sent) != 1 {
			t.Errorf("Strict-Transport-Security is %q", sent)
		}
	}
}

// A person who opens a page while the service starts gets a page that tries again. Programs get a problem document.
func TestStartingShowsAPage(t *testing.T) {
	t.Parallel()
	starting := server.Starting{
		BaseURL: "https://assay.example", Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}
	for _, test := range []struct{ method, accept, contentType, part string }{
		{"GET", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=UTF-8", `http-equiv="refresh"`},
		{"GET", "*/*", "application/problem+json", `"The service is starting."`},
		{"POST", "text/html", "application/problem+json", `"The service is starting."`},
	} {
		request := httptest.NewRequest(test.method, "/take", nil)
		request.Header.Set("Accept", test.accept)
		response := httptest.NewRecorder()
		starting.ServeHTTP(response, request)
		if got := response.Header(); response.Code != http.StatusServiceUnavailable || got.Get("Retry-After") == "" ||
			got.Get("Content-Type") != test.contentType || !strings.Contains(response.Body.String(), test.part) {
			t.Errorf("%s as %s: %d %v\n%s", test.method, test.accept, response.Code, got, response.Body)
		}
	}
}
