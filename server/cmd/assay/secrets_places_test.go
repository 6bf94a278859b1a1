package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// credentialSet holds the credentials and ids that the service returned.
type credentialSet struct {
	organization, email, password, access, refresh, key, invite, result, invitation string
	other, webhook, receiver, assessment                                            string // other is a password

	shown map[string]bool // names of the secrets that a response contains
}

func (c *credentialSet) owner() []string  { return []string{"Authorization", "Bearer " + c.access} }
func (c *credentialSet) keyed() []string  { return []string{"X-API-Key", c.key} }
func (c *credentialSet) taking() []string { return []string{"Authorization", "Bearer " + c.invite} }

const anything = `(?s)(.*)`

// field returns a string of a response and the part that the group matches.
func (w *leakTest) field(body, name, expression string) (whole, core string) {
	w.Helper()
	match := regexp.MustCompile(`"` + name + `":"(` + expression + `)"`).FindStringSubmatch(body)
	if match == nil {
		w.Fatalf("no %s in %s", name, body)
	}
	return match[1], match[2]
}

// take is field for a secret.
func (w *leakTest) take(c *credentialSet, body, name, expression, secret string) string {
	w.Helper()
	whole, core := w.field(body, name, expression)
	c.shown[secret] = true
	return w.plant(secret, whole, core)
}

// The random parts of generated secrets.
const (
	jwtForm        = `[\w-]+\.[\w-]+\.([\w-]{43})`
	keyForm        = `pk_live_.{4}([0-9a-f]{56}).{4}`
	inviteForm     = `[^"#]*#inv_\w{26}_\d+_([\w-]{43})`
	invitationForm = `[^"#]*#mbr_([0-9a-f]{64})`
	signingForm    = `whsec_([\w+/]{38})[^"]*`
)

// useSecrets uses the service correctly, with every secret in its place.
func (w *leakTest) useSecrets(receiver, needle string) *credentialSet {
	w.Helper()
	invent := func(name string) string {
		core := random(w.T)
		return w.plant(name, "own-"+core, core)
	}
	c := &credentialSet{email: "ana@quay.example", receiver: receiver, shown: map[string]bool{}}
	first := invent("first password")
	body := w.ask("POST", "/v1/auth/register",
		`{"organizationName":"Quay","name":"Ana","email":"`+c.email+`","password":"`+first+`"}`, anything,
		[]string{"Idempotency-Key", invent("idempotency key of the registration")}, "first access token",
		"first refresh token")
	c.organization, _ = w.field(body, "organizationId|id", `(org_\w+)`)
	firstAccess := w.take(c, body, "accessToken", jwtForm, "first access token")
	firstRefresh := w.take(c, body, "refreshToken", jwtForm, "first refresh token")
	c.password, c.other = invent("password"), invent("other password")
	w.ask("POST", "/v1/me/password", `{"currentPassword":"`+first+`","newPassword":"`+c.password+`"}`, anything,
		[]string{"Authorization", "Bearer " + firstAccess})
	time.Sleep(time.Second) // tokens of the same second are equal
	for range 2 {           // the second response equals the first
		body = w.ask("POST", "/v1/auth/refresh", `{"refreshToken":"`+firstRefresh+`"}`, anything, nil, "access token",
			"refresh token")
	}
	c.access, c.refresh = w.take(c, body, "accessToken", jwtForm, "access token"), w.take(c, body, "refreshToken",
		jwtForm, "refresh token")
	w.exchangeKept("a wrong password", "POST", "/v1/auth/login",
		`{"email":"`+c.email+`","password":"`+invent("wrong password")+`"}`, nil)

	once := append(c.owner(), "Idempotency-Key", invent("idempotency key"))
	key := `{"name":"x","scopes":["assessments:read","candidates:read","candidates:write","results:read"]}`
	body = w.ask("POST", "/v1/api-keys", key, anything, once, "API key")
	c.key = w.take(c, body, "key", keyForm, "API key")
	if got := w.exchangeKept("a repeated request for an API key", "POST", "/v1/api-keys", key, once); got.status != 409 {
		w.Errorf("a repeated request for an API key: %d %s", got.status, got.body)
	}
	w.ask("GET", "/v1/api-keys", "", anything, c.owner())

	w.ask("POST", "/v1/webhooks", `{"url":"`+receiver+`","events":["candidate.invited","candidate.completed"],`+
		`"secret":"`+invent("given webhook secret")+`0000"}`,
		anything, append(c.owner(), "Idempotency-Key", invent("idempotency key of the webhook")), "given webhook secret")
	c.shown["given webhook secret"] = true
	body = w.ask("POST", "/v1/webhooks", `{"url":"http://`+freeAddr(w.T)+`/","events":["candidate.invited"]}`, anything,
		c.owner(), "webhook secret")
	c.webhook, _ = w.field(body, "id", `(whk_\w+)`)
	w.take(c, body, "secret", signingForm, "webhook secret")
	body = w.ask("POST", "/v1/webhooks/"+c.webhook+"/rotate-secret", `{"activateAfterSeconds":3600}`, anything,
		c.owner(), "next webhook secret")
	w.take(c, body, "secret", signingForm, "next webhook secret")

	body = w.ask("POST", "/v1/members", `{"name":"Bo","email":"bo@quay.example","role":"ADMIN"}`, anything,
		append(c.owner(), "Idempotency-Key", invent("idempotency key of the member")), "first invitation")
	member, _ := w.field(body, "id", `(usr_\w+)`)
	w.take(c, body, "invitationUrl", invitationForm, "first invitation")
	body = w.ask("POST", "/v1/members/"+member+"/resend", "", anything, c.owner(), "invitation")
	_, c.invitation, _ = strings.Cut(w.take(c, body, "invitationUrl", invitationForm, "invitation"), "#")

	w.ask("PATCH", "/v1/organization", `{"redirectUrl":"https://jobs.example/thanks"}`, anything, c.owner())
	body = w.ask("POST", "/v1/assessments", `{"title":"Knots","stages":[{"title":"One","questions":[
		{"type":"NUMERIC","prompt":"How many ends has a rope?","points":1,"answer":2}]}]}`, anything, c.owner())
	c.assessment, _ = w.field(body, "id", `(asm_\w+)`)
	w.ask("POST", "/v1/assessments/"+c.assessment+"/publish", "", anything, c.owner())
	w.takeAssessment(c, needle, invent)
	w.useAppSession(c)
	return c
}

// takeAssessment completes a session and reads its result with a token.
func (w *leakTest) takeAssessment(c *credentialSet, needle string, invent func(string) string) {
	w.Helper()
	body := w.ask("POST", "/v1/public/candidate-sessions",
		`{"assessmentId":"`+c.assessment+`","candidateName":"`+needle+`","candidateEmail":"cy@quay.example"}`, anything,
		append(c.keyed(), "Idempotency-Key", invent("idempotency key of the invite")), "first invite")
	session, _ := w.field(body, "id", `(ses_\w+)`)
	w.take(c, body, "inviteUrl", inviteForm, "first invite")
	body = w.ask("POST", "/v1/candidate-sessions/"+session+"/resend", "", anything, c.owner(), "invite")
	_, c.invite, _ = strings.Cut(w.take(c, body, "inviteUrl", inviteForm, "invite"), "#")
	w.ask("GET", "/v1/events", "", anything, c.owner(), "first invite", "invite")

	w.ask("POST", "/v1/candidate/session/start", "", anything, c.taking())
	body = w.ask("GET", "/v1/candidate/session/stage", "", anything, c.taking())
	stage, _ := w.field(body, "id", `(stg_\w+)`)
	question, _ := w.field(body, "id", `(qst_\w+)`)
	w.ask("PUT", "/v1/candidate/session/answers/"+question, `{"number":2}`, anything, c.taking())
	body = w.ask("POST", "/v1/candidate/session/stage/submit", `{"stageId":"`+stage+`"}`, anything, c.taking(),
		"redirect's result token", "result token")
	w.take(c, body, "redirectUrl", `https://jobs.example/thanks\?[^"]*=`+jwtForm+`[^"]*`, "redirect's result token")
	body = w.ask("POST", "/v1/public/candidate-sessions/"+session+"/result-token", "", anything, c.keyed(),
		"result token", "redirect's result token")
	c.result = w.take(c, body, "token", jwtForm, "result token")
	w.ask("GET", "/v1/public/results/"+c.result, "", anything, c.keyed())
	w.ask("GET", "/v1/candidate-sessions/"+session+"/result", "", anything, c.owner())
	poll(w.T, "the refused deliveries", func() bool {
		return strings.Count(w.ask("GET", "/v1/webhooks/"+c.webhook+"/deliveries", "", anything, c.owner()), `"FAILED"`) == 2
	})
	w.ask("GET", "/v1/webhooks", "", anything, c.owner())
	w.ask("GET", "/v1/audit-log", "", anything, c.owner())
}

// exchangeKept sends a request that can have any response.
func (w *leakTest) exchangeKept(name, method, path, body string, headers []string, shows ...string) answer {
	w.Helper()
	got, whole := w.exchange(method, path, body, headers)
	w.keep(name, whole, shows...)
	return got
}

// place is a request with a secret in one place.
type place struct {
	name, method, path, body string
	headers                  []string
	repeats                  bool // the secret is used as a field name, which the response contains
}

// inHeaders returns requests with a secret in a header.
func inHeaders(s string, c *credentialSet) []place {
	var places []place
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:"+s))
	for _, header := range [][2]string{
		{"Authorization", "Bearer " + s}, {"Authorization", s}, {"Authorization", basic}, {"Authorization", "Basic " + s},
		{"Authorization", "Token token=" + s},
		{"X-API-Key", s}, {"X-API-Key", "Bearer " + s}, {"X-API-Key", "pk_live_" + s}, {"Proxy-Authorization", basic},
		{"X-Auth-Token", s}, {"Api-Key", s},
		{"Cookie", "session=" + s + "; " + s + "=1"}, {"X-Request-Id", s}, {"User-Agent", s},
		{"Referer", "https://app.example/?token=" + s},
		{"Origin", "https://" + s + ".example"}, {"Origin", s}, {"X-Forwarded-For", s},
		{"X-Forwarded-For", s + ", 198.51.100.1"}, {"X-Forwarded-Host", s}, {"Forwarded", "for=" + s},
		{"X-Real-Ip", s}, {"Accept", s}, {"Accept-Encoding", s}, {"Accept-Language", s}, {"If-None-Match", `"` + s + `"`},
		{"Range", "bytes=" + s}, {"Expect", s}, {"Te", s},
		{"Content-Type", s}, {"Content-Type", "application/json; charset=" + s},
		{"Content-Type", "application/json; " + s + "=1"}, {"Content-Encoding", s},
		{"Idempotency-Key", s}, {"Idempotency-Key", s + " é"}, {"Idempotency-Key", strings.Repeat(s, 8)},
		{"Traceparent", s}, {"X-Http-Method-Override", s}, {"Upgrade", s},
	} {
		for _, target := range []place{
			{method: "GET", path: "/v1/public/assessments"}, {method: "GET", path: "/v1/candidate/session"},
			{method: "POST", path: "/v1/api-keys", body: `{"name":"x"}`, headers: c.owner()},
		} {
			target.name, target.headers = header[0]+" of "+target.method+" "+target.path, append([]string{header[0],
				header[1]}, target.headers...)
			if header[0] == "Authorization" && len(target.headers) > 2 { // after it, the right one would stand in its place
				target.headers = target.headers[:2]
			}
			places = append(places, target)
		}
	}
	return append(places, place{
		name: "a preflight", method: "OPTIONS", path: "/v1/me",
		headers: []string{"Origin", "https://app.example", "Access-Control-Request-Headers", s,
			"Access-Control-Request-Method", s},
	})
}

// inAddresses are addresses with a secret in them.
func inAddresses(s string, c *credentialSet) []place {
	var places []place
	inQuery, inPath := url.QueryEscape(s), url.PathEscape(s)
	for _, path := range []string{
		"/v1/me?access_token=" + inQuery, "/v1/me?x=" + inQuery + "%zz", "/v1/me?x=" + inQuery + ";y",
		"/v1/me?x=" + inQuery + "%00", "/v1/assessments?limit=" + inQuery,
		"/v1/assessments?after=" + inQuery, "/v1/assessments?status=" + inQuery,
		"/v1/candidate-sessions?updatedSince=" + inQuery, "/v1/events?type=" + inQuery,
		"/v1/assessments/" + inPath, "/v1/assessments/" + inPath + "/publish",
		"/v1/candidate-sessions/" + inPath + "/result", "/v1/webhooks/" + inPath + "/deliveries/" + inPath,
		"/v1/public/results/" + inPath, "/v1/public/results/" + inPath + "/x", "/v1/public/results/" + inPath + "?x=1",
		"/v1/public/results/%ff" + inPath,
		"/errors/" + inPath, "/" + inPath, "/v1/" + inPath, "/v1/me/" + inPath, "//" + inPath, "/take#" + inPath,
		"/accept-invitation?token=" + inQuery, "/healthz?" + inQuery,
	} {
		places = append(places,
			place{name: "an address", method: "GET", path: path, headers: append(c.owner(), c.keyed()...)},
			place{name: "an address", method: "POST", path: path, headers: append(c.owner(), c.keyed()...)})
	}
	return append(places,
		place{name: "name of a parameter", method: "GET", path: "/v1/me?" + inQuery + "=1", headers: c.owner(),
			repeats: true},
		place{name: "method", method: regexp.MustCompile(`\W`).ReplaceAllString(s, "x"), path: "/v1/me", headers: c.owner()})
}

// inBodies are bodies with a secret in them, each of which is refused: what is
// accepted of a name or a title is stored, and shown again.
func inBodies(s string, c *credentialSet) []place {
	var places []place
	add := func(path string, headers []string, bodies ...string) {
		for _, body := range bodies {
			places = append(places, place{name: "body of " + path, method: "POST", path: path, headers: headers, body: body})
		}
	}
	encoded, _ := json.Marshal(s)
	j := string(encoded)
	malformed := []string{
		s, j, "[" + j + "]", `{"x":` + s, `{"x":` + j, `{"x":"` + s, `{"x":"` + s + `\`, `{"x":"` + s + "\x00\"}",
		`{"x":"` + s + `\u0000"}`, `{"x":"` + s + "\xff\"}",
		`{"x":"` + s + `\ud800"}`, `{"x":` + j + `,"x":` + j + `}`, `{}` + j, `{"x":` + j + `}{`, `{"unknown":` + j + `}`,
		strings.Repeat("[", 40) + j + strings.Repeat("]", 40),
		strings.Repeat(s, (1<<20)/len(s)+1), "'" + s + "'", `{"x":.` + s + `}`, `{"x":1e` + s + `}`, `{"x":tru` + s + `}`,
	}
	add("/v1/auth/login", nil, append(malformed,
		`{"email":`+j+`,"password":`+j+`}`, `{"email":"a@b.example","password":`+j+`}`,
		`{"email":{"x":`+j+`},"password":[`+j+`]}`, `{"email":"a@b.example","passwort":`+j+`}`,
		`{"email":"`+c.email+`","password":`+j+`,"token":`+j+`}`,
		`{"email":"a@b.example","password":"`+strings.Repeat(s, 20)+`"}`)...)
	add("/v1/auth/register", nil, `{"organizationName":`+j+`,"name":`+j+`,"email":`+j+`,"password":`+j+`}`,
		`{"organizationName":"x","name":"x","email":"x@y.example","password":{"x":`+j+`}}`,
		`{"organizationName":"x","name":"x","email":"`+c.email+`","password":`+j+`}`)
	add("/v1/auth/refresh", nil, `{"refreshToken":`+j+`}`, `{"refreshToken":"`+strings.Repeat(s, 30)+`"}`,
		`{"token":`+j+`}`)
	add("/v1/auth/logout", nil, `{"refreshToken":[`+j+`]}`, `{"accessToken":`+j+`}`)
	add("/v1/auth/accept-invitation", nil, `{"token":`+j+`,"password":"short"}`, `{"token":"x`+s+`","password":`+j+`}`,
		`{"token":`+j+`}`)
	add("/v1/me/password", c.owner(), `{"currentPassword":`+j+`,"newPassword":"short"}`,
		`{"currentPassword":"no","newPassword":`+j+`}`,
		`{"currentPassword":"x`+s+`","newPassword":"`+strings.Repeat(s, 9)+`"}`)
	for _, path := range []string{"/v1/api-keys", "/v1/assessments", "/v1/candidate-sessions", "/v1/webhooks",
		"/v1/members", "/v1/webhooks/" + c.webhook + "/rotate-secret"} {
		add(path, c.owner(), malformed[4], malformed[14],
			`{"name":`+j+`,"title":`+j+`,"scopes":[`+j+`],"role":`+j+`,"email":`+j+`,"candidateEmail":`+j+
				`,"assessmentId":`+j+`,"passingScore":`+j+`,"events":[`+j+
				`],"url":`+j+`,"secret":`+j+`,"stages":`+j+`,"activateAfterSeconds":`+j+`}`)
	}
	add("/v1/webhooks", c.owner(), `{"url":"https://me:`+s+`@hooks.example/","events":["candidate.invited"]}`,
		`{"url":"ftp://hooks.example/?`+s+`","events":["candidate.invited"]}`,
		`{"url":"https://hooks.example/","events":["candidate.invited"],"secret":"whsec_!`+s+`"}`,
		`{"url":"https://hooks.example/","events":[`+j+`],"secret":`+j+`}`)
	add("/v1/public/candidate-sessions", c.keyed(),
		`{"assessmentId":"`+c.assessment+`","candidateName":`+j+`,"candidateEmail":`+j+`}`,
		`{"assessmentId":"`+c.assessment+`","candidateName":"x","candidateEmail":"x@y.example","metadata":{"x":{"y":`+j+`}}}`)
	add("/v1/public/candidate-sessions/bulk", c.keyed(),
		`{"assessmentId":"`+c.assessment+`","candidates":[{"candidateName":"x","candidateEmail":`+j+`}]}`)
	add("/v1/candidate/session/stage/submit", c.taking(), `{"stageId":`+j+`}`)
	for _, form := range []string{"application/x-www-form-urlencoded", "text/plain",
		"multipart/form-data; boundary=" + s, ""} {
		places = append(places, place{name: "form " + form[:min(9, len(form))], method: "POST", path: "/v1/auth/login",
			body: "email=" + c.email + "&password=" + s, headers: []string{"Content-Type", form}})
	}
	places = append(places, inAppSession(s, j)...)
	return append(places, place{name: "name of a field", method: "POST", path: "/v1/auth/login", body: `{` + j + `:1}`,
		repeats: true})
}

// misplaceSecrets puts every secret in every place.
func (w *leakTest) misplaceSecrets(c *credentialSet) {
	w.Helper()
	count, statuses := 0, map[int]int{}
	for _, name := range []string{
		"password", "access token", "refresh token", "result token", "invite", "invitation", "API key", "webhook secret",
		"idempotency key", "master secret",
	} {
		s := w.secrets[name]
		if _, token, linked := strings.Cut(s, "#"); linked {
			s = token
		} else if strings.HasPrefix(s, "https://jobs.example/") {
			_, s, _ = strings.Cut(s, "=")
		}
		places := append(append(inHeaders(s, c), inAddresses(s, c)...), inBodies(s, c)...)
		for _, p := range places {
			var shows []string
			switch {
			case p.repeats:
				shows = []string{name}
			case name == "invite" && p.path == "/v1/candidate/session": // in the right place once
				shows = []string{"result token", "redirect's result token"}
			}
			got := w.exchangeKept(fmt.Sprintf("the %s in %s", name, p.name), p.method, p.path, p.body, p.headers, shows...)
			count++
			if statuses[got.status]++; got.status >= 500 {
				w.Errorf("the %s in %s: %s %s: %d %s", name, p.name, p.method, p.path, got.status, got.body)
			}
		}
		w.malformed(name, s)
	}
	w.Logf("%d places: %v", count, statuses)
}

// malformed sends what is no HTTP, or only half of it.
func (w *leakTest) malformed(name, s string) {
	w.Helper()
	const host = " HTTP/1.1\r\nHost: assay.example\r\nConnection: close\r\n"
	for i, request := range []string{
		s + "\r\n\r\n", "GET /" + s + "\r\n\r\n", "GET / HTTP/9.9\r\nX: " + s + "\r\n\r\n",
		"GET /" + s + " HTTP/1.1\r\n\r\n", s + " /" + host + "\r\n",
		"GET /" + s + " HTTP/1.1\r\nHost: " + s + " " + s + "\r\n\r\n", "GET http://" + s + ":x/" + host + "\r\n",
		"GET /%zz" + s + host + "\r\n", "CONNECT " + s + ":443" + host + "\r\n",
		"GET /v1/me" + host + "Bad " + s + ": 1\r\n\r\n", "GET /v1/me" + host + "X: \x01" + s + "\r\n\r\n",
		"GET /v1/me" + host + s + "\r\n\r\n", "GET /v1/me" + host + s + ": 1\r\n\r\n",
		"GET /v1/me" + host + "X: " + strings.Repeat(s, (40<<10)/len(s)) + "\r\n\r\n",
		"POST /v1/auth/login" + host + "Content-Length: " + s + "\r\n\r\n",
		"POST /v1/auth/login" + host + "Transfer-Encoding: " + s + "\r\n\r\n",
		"POST /v1/auth/login" + host + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + s + "\r\n",
		"POST /v1/auth/login" + host + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"password\":\"" + s,
		"GET /v1/me" + host + "Upgrade: " + s + "\r\nHTTP2-Settings: " + s + "\r\n\r\n",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + s,
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(w.base, "http://"))
		if err != nil {
			w.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		_, _ = io.WriteString(conn, request)
		_ = conn.(*net.TCPConn).CloseWrite()
		answered, _ := io.ReadAll(conn) // it may have been cut off
		_ = conn.Close()
		w.keep(fmt.Sprintf("the %s in malformed request %d", name, i), string(answered))
	}
}
