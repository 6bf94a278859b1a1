package server

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
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
