//go:build unix

package contract

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// inEveryText returns the fields that take a text of a stranger, each in a request that processes it.
func inEveryText(a *api, o *tenant) []textField {
	draft := o.publish(object{"title": "T", "stages": []any{object{"title": "S", "questions": []any{
		object{"type": "SHORT_TEXT", "points": 1, "acceptedAnswers": []any{"a"}, "prompt": "p"},
	}}}})
	candidate := o.invite(draft).candidate()
	a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
	stage := a.do("GET", "/v1/candidate/session/stage", candidate, nil).want(200)
	answer := "/v1/candidate/session/answers/" + stage.text("data.questions.0.id")
	const texts, words = 200, 60 // permitted multiples of json.Unmarshal
	question := func(field string, values ...any) object {
		var questions []any
		for _, value := range values {
			questions = append(questions,
				object{"type": "SHORT_TEXT", "points": 1, "acceptedAnswers": []any{"a"}, "prompt": "p", field: value})
		}
		return object{"title": "T", "stages": []any{object{"title": "S", "questions": questions}}}
	}
	return []textField{
		{"prompts", 9_990, 6 * texts, post("/v1/assessments", o.owner, func(text string) any {
			return question("prompt", text+"1", text+"2", text+"3", text+"4", text+"5", text+"6")
		})},
		{"explanation", 10_000, texts,
			post("/v1/assessments", o.owner, func(text string) any { return question("explanation", text) })},
		{"accepted answer", 500, words,
			post("/v1/assessments", o.owner, func(text string) any { return question("acceptedAnswers", []any{text, "b"}) })},
		{"instructions", 10_000, texts,
			post("/v1/assessments", o.owner, func(text string) any { return object{"title": "T", "instructions": text} })},
		{"title", 200, words, post("/v1/assessments", o.owner, func(text string) any { return object{"title": text} })},
		{"privacy notice", 10_000, texts,
			sending("PATCH", "/v1/organization", o.owner, func(text string) any { return object{"privacyNotice": text} })},
		{"words of an email", 5000, words, post("/v1/email-texts/preview", o.owner, func(text string) any {
			return object{"kind": "INVITE", "locale": "en", "subject": "S", "text": text}
		})},
		{"answer", 10_000, words, sending("PUT", answer, candidate, func(text string) any { return object{"text": text} })},
		{"candidate", 200, words, post("/v1/candidate-sessions", o.owner, func(text string) any {
			return object{"assessmentId": draft, "candidateName": text, "candidateEmail": "a@example.com"}
		})},
		{"email address", 254, words, post("/v1/candidate-sessions", o.owner, func(text string) any {
			return object{"assessmentId": draft, "candidateName": "A", "candidateEmail": text + "@example.com"}
		})},
		{"labels", 500, words, post("/v1/candidate-sessions", o.owner, func(text string) any {
			return object{"assessmentId": draft, "candidateName": "A", "candidateEmail": "a@example.com",
				"metadata": object{"k": text, text: "v"}}
		})},
		{"address of a webhook", 2048, words, post("/v1/webhooks", o.owner, func(text string) any {
			return object{"url": "https://" + text, "events": []any{"candidate.completed"}}
		})},
		{"address of a redirect", 2048, words, post("/v1/assessments", o.owner, func(text string) any {
			return object{"title": "T", "redirectUrl": "https://a.example/" + text}
		})},
		{"time zone", 64, words,
			sending("PATCH", "/v1/organization", o.owner, func(text string) any { return object{"timeZone": text} })},
		{"search", 200, words, search("/v1/candidate-sessions?q=", o.owner)},
		{"title of a search", 200, words, search("/v1/assessments?q=", o.owner)},
		{"cursor", 2000, words, search("/v1/candidate-sessions?after=", o.owner)},
		{"filter", 2000, words, search("/v1/candidate-sessions?tag=", o.owner)},
		{"time", 2000, words, search("/v1/candidate-sessions?updatedSince=", o.owner)},
		{"external id", 255, words, search("/v1/candidate-sessions?externalId=", o.owner)},
		{"token", 4000, words, func(a *api, text string) func() { return direct(a, "GET", "/v1/me", bearer(text), nil, "") }},
		{"key", 4000, words, func(a *api, text string) func() {
			return direct(a, "GET", "/v1/public/me", credential{"X-API-Key", text}, nil, "")
		}},
		{"path", 4000, words, search("/v1/assessments/", o.owner)},
	}
}

// textField is a field with the greatest length of its texts in the contract. Its request is sent whether or not the
// text is valid.
type textField struct {
	name      string
	maxLength int
	multiple  int
	prepare   func(a *api, text string) func()
}

func sending(method, path string, who credential, body func(text string) any) func(a *api, text string) func() {
	return func(a *api, text string) func() {
		var encoded bytes.Buffer
		encoder := json.NewEncoder(&encoded)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(body(text)); err != nil {
			a.t.Fatal(err)
		}
		return direct(a, method, path, who, encoded.Bytes(), "application/json")
	}
}

func post(path string, who credential, body func(text string) any) func(a *api, text string) func() {
	return sending("POST", path, who, body)
}

func search(path string, who credential) func(a *api, text string) func() {
	return func(a *api, text string) func() { return direct(a, "GET", path+escaped(text), who, nil, "") }
}

// escaped is a text in a path or a query, all of it as percent-encoded bytes.
func escaped(text string) string {
	var out strings.Builder
	for _, b := range []byte(text) {
		out.WriteString("%" + strconv.FormatUint(uint64(b)>>4, 16) + strconv.FormatUint(uint64(b)&15, 16))
	}
	return out.String()
}

// direct prepares a request without a connection.
func direct(a *api, method, target string, who credential, body []byte, mediaType string) func() {
	r, err := http.NewRequestWithContext(a.t.Context(), method, target, bytes.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", mediaType)
	}
	r.RemoteAddr = "127.0.0.1:4711"
	r.Header.Set(who.header, strings.NewReplacer("\n", " ", "\t", " ").Replace(who.value))
	return func() {
		answer := &discarded{header: http.Header{}}
		a.server.ServeHTTP(answer, r)
		if answer.status >= 500 {
			a.t.Errorf("%s %.80s: %d", method, target, answer.status)
		}
	}
}

// discarded is a response that keeps only its status.
type discarded struct {
	header http.Header
	status int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(status int)      { d.status = status }
func (d *discarded) Write(p []byte) (int, error) { return len(p), nil }
