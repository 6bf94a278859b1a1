package webhooks_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/webhooks"
)

// A call sends what it is given, follows no redirect, stores the beginning of the response, and reads Retry-After.
func TestCall(t *testing.T) {
	t.Parallel()
	var method, authorization, body string
	followed := false
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		read, _ := io.ReadAll(r.Body)
		method, authorization, body = r.Method, r.Header.Get("Authorization"), string(read)
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, "/followed", http.StatusFound)
		case "/followed":
			followed = true
		case "/busy":
			w.Header().Set("Retry-After", "70")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, strings.Repeat("x", 5000))
		}
	}))
	t.Cleanup(receiver.Close)
	caller := webhooks.NewCaller(webhooks.Options{Now: time.Now, AllowInsecure: true})
	call := func(path string) (store.Attempt, time.Duration) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, receiver.URL+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer k")
		return caller.Call(request)
	}
	if got, _ := call("/"); got.FailureReason != nil || *got.StatusCode != 200 || method != "PUT" || body != "{}" ||
		authorization != "Bearer k" {
		t.Errorf("%+v: %s %s %s", got, method, authorization, body)
	}
	if got, _ := call("/redirect"); *got.FailureReason != store.FailedRedirect || followed {
		t.Errorf("%+v, followed: %t", got, followed)
	}
	if got, wait := call("/busy"); *got.StatusCode != 429 || wait != 70*time.Second || len(got.ResponseBody) != 1024 {
		t.Errorf("%d, %s, %d bytes", *got.StatusCode, wait, len(got.ResponseBody))
	}
	caller = webhooks.NewCaller(webhooks.Options{Now: time.Now, AllowInsecure: true, HidePrivate: true})
	if got, _ := call("/busy"); *got.StatusCode != 429 || got.ResponseBody != "" {
		t.Errorf("the response of a private address is stored: %d, %d bytes", *got.StatusCode, len(got.ResponseBody))
	}
}
