package main

import (
	"regexp"
	"strings"
)

// fromThePage returns the headers of a request that a page of the service sends.
func fromThePage(cookie string) []string {
	if cookie == "" {
		return []string{"Sec-Fetch-Site", "same-origin"}
	}
	return []string{"Sec-Fetch-Site", "same-origin", "Cookie", "assay=" + cookie}
}

// useAppSession signs in to the dashboard, refreshes, and signs out. Only the header
// Set-Cookie contains a refresh token.
func (w *leakTest) useAppSession(c *credentialSet) {
	w.Helper()
	cookie := ""
	// Access tokens of the same second are equal.
	access := []string{"access token of the dashboard", "access token of the refreshed dashboard"}
	exchange := func(method, body, name string) {
		w.Helper()
		got, whole := w.exchange(method, "/app/session", body, fromThePage(cookie))
		set := regexp.MustCompile(`Set-Cookie: assay=(` + jwtForm + `);`).FindStringSubmatch(whole)
		if got.status != 200 || set == nil {
			w.Fatalf("%s /app/session: %d %s", method, got.status, got.body)
		}
		w.take(c, got.body, "accessToken", jwtForm, "access token of the "+name)
		cookie = w.plant("cookie of the "+name, set[1], set[2])
		c.shown["cookie of the "+name] = true
		w.keep(method+" /app/session", whole, append(access, "cookie of the "+name)...)
		w.keep("the body of "+method+" /app/session", got.body, access...)
	}
	exchange("POST", `{"type":"login","email":"`+c.email+`","password":"`+c.password+`"}`, "dashboard")
	exchange("PUT", "", "refreshed dashboard")
	got := w.exchangeKept("signing out", "DELETE", "/app/session", "", fromThePage(cookie))
	if got.status != 204 {
		w.Errorf("signing out: %d %s", got.status, got.body)
	}
}

// inAppSession are requests for the dashboard's sign-in with a secret in a wrong place.
func inAppSession(s, j string) []place {
	var places []place
	for _, body := range []string{
		j, `{"type":` + j + `}`, `{"type":"login","email":` + j + `,"password":` + j + `}`,
		`{"type":"login","email":"a@b.example","password":[` + j + `]}`, `{"type":"login",` + j + `:1`,
		`{"type":"register","organizationName":` + j + `,"name":` + j + `,"email":` + j + `,"password":` + j + `}`,
		`{"type":"invitation","token":` + j + `,"password":"short"}`, strings.Repeat(s, (1<<15)/len(s)+1),
	} {
		places = append(places,
			place{name: "a body of the dashboard", method: "POST", path: "/app/session", headers: fromThePage(""), body: body},
			place{name: "a body of another site", method: "POST", path: "/app/session", body: body})
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		places = append(places, place{name: "a cookie", method: method, path: "/app/session",
			headers: fromThePage("x" + s)})
	}
	return places
}
