package server

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/store/storetest"
)

// The bound on the cost of checking a body. It counts memory and not time, so that the
// tests give the same result on every machine. A quarter of a million
// allocations take about 30 ms.
const (
	maxCheckBytes       = 16 << 20
	maxCheckAllocations = 250_000
)

// repeatedTo returns prefix, as many copies of unit as fit into size bytes, and suffix.
// A comma separates the copies if unit ends with one. Each # in unit becomes the number
// of the copy.
func repeatedTo(size int, prefix, unit, suffix string) string {
	var body strings.Builder
	body.WriteString(prefix)
	for i := 0; ; i++ {
		next := strings.ReplaceAll(unit, "#", strconv.Itoa(i))
		if next == "" || body.Len()+len(next)+len(suffix) > size {
			break
		}
		body.WriteString(next)
	}
	return strings.TrimSuffix(body.String(), ",") + suffix
}

// nested returns opening and closing around a value, depth times.
func nested(depth int, opening, value, closing string) string {
	return strings.Repeat(opening, depth) + value + strings.Repeat(closing, depth)
}

// FuzzShape checks bodies of the maximum size of each operation: a beginning, a repeated
// part, and an end. Whatever the shape, the check stays within the bound.
func FuzzShape(f *testing.F) {
	operations, err := newOperations()
	if err != nil {
		f.Fatal(err)
	}
	operations = slices.DeleteFunc(operations, func(o operation) bool { return o.body == nil })
	slices.SortFunc(operations, func(a, b operation) int { return strings.Compare(a.id, b.id) })

	index := func(id string) uint8 {
		i := slices.IndexFunc(operations, func(o operation) bool { return o.id == id })
		if i < 0 {
			f.Fatalf("the contract has no operation %s with a body", id)
		}
		return uint8(i)
	}
	create, bulk := index("createAssessment"), index("bulkCreatePublicCandidateSessions")
	const toStages, endStages = `{"title":"T","stages":[`, `]}`
	const toQuestions, endQuestions = toStages + `{"title":"S","questions":[`, `]}` + endStages
	for _, unit := range []string{
		"{}", "[]", `""`, `"a"`, `"ab"`, "0", "0.5", "null", "{},[],0", `{"":0}`, `[0]`, `[[],[]]`, `{"":{},"a":{}}`,
		nested(1, `{"":`, `{"":0}`, "}"), nested(28, `{"":`, "0", "}"), nested(28, "[", "", "]"), nested(40, "[", "", "]"),
		"{" + numbered(8, `"%d":0`) + "}", "{" + numbered(9, `"%d":0`) + "}", "{" + numbered(60, `"%d":{}`) + "}",
		choiceWith(repeated(20, `{"id":"a","text":""}`)), choiceWith(repeated(20, `{"id":"","text":0}`)),
		`{"type":"NUMERIC","prompt":"","points":1}`, `{"type":"NONE"}`,
		`{"type":"SHORT_TEXT","prompt":"","points":1,"acceptedAnswers":[` + repeated(50, `"a"`) + `]}`,
	} {
		f.Add(create, "[", unit+",", "]")
		f.Add(create, toStages, unit+",", endStages)
		f.Add(create, toQuestions, unit+",", endQuestions)
		f.Add(bulk, `{"rows":[`, unit+",", "]}")
	}
	for i := range operations {
		f.Add(uint8(i), `{"x":[`, "{},", "]}")
		f.Add(uint8(i), `{"x":[`, nested(28, `{"":`, "0", "}")+",", "]}")
		f.Add(uint8(i), "{", `"#":0,`, "}")
		f.Add(uint8(i), "{", `"#":{"":0},`, "}")
	}
	for _, name := range []string{"x", "~", "/", `\u0001`, "<", "é"} {
		f.Add(create, `{"title":"T","`, name, `":0}`)
		f.Add(create, toStages+`{"title":"S","`, name, `":[]}]}`)
		f.Add(create, `{"title":"`, name, `"}`)
		f.Add(create, "{", `"#`+strings.Repeat(name, 20_000)+`":0,`, "}")
		f.Add(bulk, `{"rows":[`, "{"+numbered(7, `"%d`+strings.Repeat(name, 270)+`":0`)+"},", "]}")
		f.Add(bulk, `{"rows":[`, `{"metadata":{`+numbered(7, `"%d`+strings.Repeat(name, 270)+`":0`)+"}},", "]}")
	}
	f.Add(bulk, `{"rows":[`, "{"+numbered(50, `"k%d":0`)+"},", "]}")
	f.Add(bulk, `{"rows":[`, `{"metadata":{`+numbered(50, `"k%d":0`)+"}},", "]}")
	f.Add(create, `{"title":`, "9", "}")
	f.Add(create, `{"title":0.`, "9", "}")
	f.Add(create, `{"title":1e`, "9", "}")
	f.Add(create, "", " ", "")
	f.Add(create, "", "[", "")
	f.Add(create, "", `{"":`, "")

	f.Fuzz(func(t *testing.T, which uint8, prefix, unit, suffix string) {
		o := operations[int(which)%len(operations)]
		body := repeatedTo(int(o.maxBody), prefix, unit, suffix)
		if int64(len(body)) > o.maxBody {
			return
		}
		ctx := context.WithValue(t.Context(), requestKey{}, &request{})

		size, count := cost(func() { _, _ = checkBodyOf(ctx, o, body) })
		if size > maxCheckBytes || count > maxCheckAllocations {
			t.Errorf("%s: %.200q, %.200q repeated, %.200q: allocated %.1f MiB in %d allocations",
				o.id, prefix, unit, suffix, float64(size)/(1<<20), count)
		}
	})
}

// cost returns how many bytes run allocates, and in how many allocations. The calling
// test must not be parallel.
func cost(run func()) (size, count uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}

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
					nextSize, nextCount := cost(func() { a.server.ServeHTTP(answer, r) })
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

// discarded is a response of which only the status is kept.
type discarded struct {
	header http.Header
	status int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(status int)      { d.status = status }
func (d *discarded) Write(p []byte) (int, error) { return len(p), nil }

// The largest requests that openapi.yaml permits are accepted: 500 questions with every
// field and as many options as possible, and 500 rows with as many labels as possible.
func TestLargestRequests(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
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
