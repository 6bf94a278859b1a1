package contract

import (
	"assay/store/storetest"
	"assay/store/storetest/costtest"
	"bytes"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// The bound on the cost of a body, which is that of checking it. It counts memory and not time, so that the tests give
// the same result on every machine.
const (
	maxCheckBytes       = 16 << 20
	maxCheckAllocations = 250_000
)

// A request that passes its schema and is then refused, because of what it contains,
// is within the same bound. The largest of them have as many questions, or rows, as are
// permitted.
func TestRefusalCost(t *testing.T) {
	clock := storetest.NewClock()
	a := serve(t, storetest.OpenURL(t, "sqlite::memory:", clock.Now), clock)
	o := a.register()
	full := func(id string) string {
		return `{"type":"MULTIPLE_CHOICE","prompt":"` + strings.Repeat("*p* ", 250) +
			`","points":1,"explanation":"E","options":[` +
			numbered(20, `{"id":"%[1]d","text":"x%[1]d"}`) + `],"correctOptionIds":[` + numbered(20, `"%d"`) +
			`],"partialCredit":true` + id + `}`
	}
	row := `{"assessmentId":"asm_01kae3v5zg8r6w2c4n7q9t1x3y","candidateName":"A",` +
		`"candidateEmail":"a%d@example.com","metadata":{` +
		numbered(50, `"k%d":""`) + `}}`
	rows := numbered(500, strings.NewReplacer("%d@", "%[1]d@", "%", "%%").Replace(row))

	for _, test := range []struct {
		name, path, body string
		status           int
	}{
		{"8,000 questions", "/v1/assessments", `{"title":"T","stages":[` + repeated(20,
			`{"title":"S","questions":[`+repeated(400, `{"type":"NUMERIC","prompt":"","points":1}`)+`]}`) + `]}`, 400},
		{"500 questions and an unknown id", "/v1/assessments", stageWith(repeated(499, full("")) + "," +
			full(`,"id":"qst_01kae3v5zg8r6w2c4n7q9t1x3y"`)), 400},
		{"500 questions with equal options", "/v1/assessments", stageWith(repeated(500,
			choiceWith(repeated(20, `{"id":"a","text":""}`)))), 400},
		{"500 rows of an unknown assessment", "/v1/candidate-sessions/bulk", `{"rows":[` + rows + `]}`, 200},
		{"500 rows with long labels", "/v1/candidate-sessions/bulk", `{"rows":[` + repeated(500, `{"metadata":{`+
			numbered(7, `"%d`+strings.Repeat("<", 270)+`":0`)+"}}") + `]}`, 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, hasKey := range []bool{false, true} {
				size, count := uint64(math.MaxUint64), uint64(math.MaxUint64)
				for attempt := range 3 { // a buffer that a pool has lost is allocated again
					r, err := http.NewRequestWithContext(t.Context(), "POST", test.path, bytes.NewReader([]byte(test.body)))
					if err != nil {
						t.Fatal(err)
					}
					r.Header.Set("Content-Type", "application/json")
					if hasKey {
						r.Header.Set("Idempotency-Key", fmt.Sprint(test.name, attempt))
					}
					r.Header.Set(o.owner.header, o.owner.value)
					answer := &discarded{header: http.Header{}}
					nextSize, nextCount := costtest.Allocated(func() { a.server.ServeHTTP(answer, r) })
					size, count = min(size, nextSize), min(count, nextCount)
					if answer.status != test.status {
						t.Errorf("%d, want %d", answer.status, test.status)
					}
				}
				if size > maxCheckBytes || count > maxCheckAllocations {
					t.Errorf("allocated %.1f MiB in %d allocations", float64(size)/(1<<20), count)
				}
			}
		})
	}
}

// The largest requests that openapi.yaml permits are accepted: 500 questions with every
// field and as many options as possible, and 500 rows with as many labels as possible.
func TestLargestRequests(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		question := `{"type":"MULTIPLE_CHOICE","prompt":"P","points":1,"explanation":"E","options":[` +
			numbered(20, `{"id":"%[1]d","text":"x%[1]d"}`) + `],"correctOptionIds":[` +
			numbered(20, `"%d"`) + `],"partialCredit":true}`
		stage := `{"title":"S","description":"D","timeLimitMinutes":10,"gate":{"required":true,"minScore":50},"questions":[` +
			repeated(10, question) + `]}`
		body := `{"title":"T","description":"D","passingScore":50,"timeLimitMinutes":600,` +
			`"inviteExpiryDays":5,"redirectUrl":null,` +
			`"instructions":"I","closingMessage":"C","locale":"en","shuffleQuestions":true,` +
			`"shuffleOptions":true,"opensAt":null,` +
			`"closesAt":null,"stages":[` + repeated(50, stage) + `]}`
		created := a.do("POST", "/v1/assessments", o.owner, body).want(201)
		a.do("POST", created.header.Get("Location")+"/publish", o.owner, nil).want(200)

		labels := numbered(50, `"k%d":"v"`)
		rows := make([]string, 500)
		for i := range rows {
			rows[i] = `{"assessmentId":"` + created.text("data.id") + `","candidateName":"A","candidateEmail":"a` +
				strconv.Itoa(i) + `@example.com","externalId":"x","expiresAt":null,"redirectUrl":null,"extraTimePercent":0,` +
				`"onExisting":"RETURN","metadata":{` + labels + `}}`
		}
		bulk := `{"dryRun":true,"rows":[` + strings.Join(rows, ",") + `]}`
		invited := a.do("POST", "/v1/candidate-sessions/bulk", o.owner, bulk).want(200)
		if got := invited.number("data.createdCount"); got != 500 {
			t.Errorf("%v rows would be created, want 500", got)
		}
	})
}

// repeated returns copies of a text, separated by commas.
func repeated(count int, text string) string {
	return strings.TrimSuffix(strings.Repeat(text+",", count), ",")
}

// numbered is like repeated, with %d replaced by the number of the copy.
func numbered(count int, format string) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

// stageWith returns an assessment with one stage that has these questions.
func stageWith(questions string) string {
	return `{"title":"T","stages":[{"title":"S","questions":[` + questions + `]}]}`
}

// choiceWith returns a question with these options.
func choiceWith(options string) string {
	return `{"type":"SINGLE_CHOICE","prompt":"P","points":1,"options":[` + options + `]}`
}

// nested returns opening and closing around a value, n times.
func nested(opening, value, closing string, n int) string {
	return strings.Repeat(opening, n) + value + strings.Repeat(closing, n)
}
