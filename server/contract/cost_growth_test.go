//go:build unix

package server

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The tests of this file measure processor time per byte: each input at a size and at four times the size, beside
// json.Unmarshal of the same number of bytes in the same run. They are not parallel, because they measure the process.
const (
	// maxGrowthOfTime is how many times longer four times the bytes may take. Quadratic work takes 16 times as long.
	maxGrowthOfTime = 8

	// enoughTime is the time below which nothing is compared, because most of it does not depend on the input.
	enoughTime = 2 * time.Millisecond
)

// growing is an input of a stranger.
type growing struct {
	name  string
	bytes int // the smaller size
	// maxMultiple is how many times longer than json.Unmarshal the larger size may take.
	maxMultiple int
	// prepare returns the processing of an input of a size, each time of another input: some work is remembered.
	prepare func(bytes, number int) (process func())
}

// check fails the test if the time per byte grows, or is too long. The garbage collector and other load can only make
// a measurement longer, so the shortest counts, and a long one is measured again.
func (g growing) check(t *testing.T) {
	t.Helper()
	small, large, plain := time.Hour, time.Hour, time.Hour
	measure := func(so time.Duration, process func()) time.Duration {
		began := processorTime()
		process()
		return min(so, processorTime()-began)
	}
	ordinary := ordinaryJSON(4 * g.bytes)
	var growth, multiple float64
	began := processorTime()
	for attempt := 0; attempt < 10 && processorTime()-began < 2*time.Second; attempt++ {
		large = measure(large, g.prepare(4*g.bytes, 2*attempt))
		if large < enoughTime {
			return
		}
		small = measure(small, g.prepare(g.bytes, 2*attempt+1))
		plain = measure(plain, func() {
			var into any
			if err := json.Unmarshal(ordinary, &into); err != nil {
				t.Fatal(err)
			}
		})
		growth, multiple = float64(large)/float64(small), float64(large)/float64(plain)
		if growth <= maxGrowthOfTime && multiple <= float64(g.maxMultiple) {
			return
		}
	}
	t.Fatalf("%s: %d bytes take %s, %.1f times as long as a quarter of them and %.0f times as long as to decode JSON;"+
		" at most %d and %d are permitted", g.name, 4*g.bytes, large, growth, multiple, maxGrowthOfTime, g.maxMultiple)
}

// ordinaryJSON is a usual body of a size.
func ordinaryJSON(bytes int) []byte {
	row := `{"candidateName":"Ada Lovelace","candidateEmail":"ada@example.com","metadata":{"source":"page"},"points":2.5}`
	return []byte("[" + repeated(max(1, bytes/(len(row)+1)), row) + "]")
}

// costRounds is how many random inputs of each kind a test makes, and their random numbers. make fuzz-cost tries more
// and others.
func costRounds(t *testing.T, usual int) (rounds int, random *rand.Rand) {
	t.Helper()
	factor, seed := 1, uint64(1)
	if given := os.Getenv("COST_ROUNDS"); given != "" {
		var err error
		if factor, err = strconv.Atoi(given); err != nil {
			t.Fatal(err)
		}
		seed = rand.Uint64()
		t.Logf("COST_ROUNDS=%d, seed %d", factor, seed)
	}
	return usual * factor, rand.New(rand.NewPCG(seed, 0))
}

// hostileWords are what parsers of texts, addresses, and templates look at.
var hostileWords = []string{
	"*", "_", "**", "`", "``", "[", "]", "(", ")", "![", "](", "<", ">", "<a ", "</a>", "<http://a>",
	"http://a", "&", "&#", "&#x", "&amp;", "|", "|-|", "\n", "\n\n", "> ", "- ", "1. ", "    ", "\t", "#", "\\",
	"~~~", "```", "=", "-", "[a]: b", "a", "ab ", "é", "e\u0301", "\u0301", "\u202e", "\u200d", "ﬃ", "İ", "ß",
	"한", "😀", "{{", "}}", "{{candidateName}}", `"`, "'", "@", ".", ",", ";", ":", "/", "%", "%41", "+", "0",
	"9", "1e9", "$", "^", " ", "www.", "xn--", "mailto:a@b.example",
}

// knownWords made a parser slow, here or elsewhere.
var knownWords = []string{
	"_*a", "*a **a ", "[", "![", "[a](", "[a](<b", "`a``", "<a ", "&#", "> ", "- ", ">- ", "|`\\|`", "<http://a>", "a@",
	"\u0301", "{{", "https://a.", "1. ", "a\n-\n",
}

// randomWord joins up to four hostile words.
func randomWord(random *rand.Rand) string {
	var word strings.Builder
	for range 1 + random.IntN(4) {
		word.WriteString(hostileWords[random.IntN(len(hostileWords))])
	}
	return word.String()
}

// hostileText repeats a word behind a number that makes it another text.
func hostileText(word string, bytes, number int) string {
	begin := "a" + strconv.Itoa(number) + " "
	return begin + strings.Repeat(word, max(0, bytes-len(begin))/len(word))
}

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
