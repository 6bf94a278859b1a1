//go:build unix

package request

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"assay/server/spreadsheet"
	"assay/store/rules"
	"assay/store/storetest/costtest"
)

// Texts that are longer than a field permits are compared and written too: those of several fields together.
func TestTimePerByteOfLongTexts(t *testing.T) {
	rounds, random := costtest.Rounds(t, 40)
	language, err := spreadsheet.LanguageOf("en")
	if err != nil {
		t.Fatal(err)
	}
	written := func(format spreadsheet.Format) func(text string) {
		return func(text string) {
			table := spreadsheet.NewWriter(io.Discard, spreadsheet.Options{Format: format, Language: language, Name: "S"})
			for range 2 { // the first row has the headings
				if err := table.Write([]any{text}); err != nil {
					t.Fatal(err)
				}
			}
			if err := table.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	processes := map[string]func(text string){
		"an answer, compared": func(text string) { rules.NormalText(text, false) },
		"a cell of CSV":       written(spreadsheet.CSV),
		"a cell of XLSX":      written(spreadsheet.XLSX),
		"a title":             func(text string) { rules.Label(text) },
		"a query":             func(text string) { queryFault("q=" + text) },
		"a time":              func(text string) { _ = canonicalOffset(text) },
		"an If-None-Match":    func(text string) { NamesTag(text, `"tag"`) },
		"an Accept-Encoding":  func(text string) { acceptsGzip([]string{text}) },
		"an Accept":           func(text string) { acceptsJSON([]string{text}) },
	}
	words := slices.Clone(costtest.KnownWords)
	for range rounds {
		words = append(words, costtest.RandomWord(random))
	}
	for name, process := range processes {
		for _, word := range words {
			costtest.Growing{
				Name: name + " " + strconv.Quote(word), Bytes: 32 << 10, MaxMultiple: 60,
				Prepare: func(bytes, number int) func() {
					text := costtest.HostileText(word, bytes, number)
					return func() { process(text) }
				},
			}.Check(t)
		}
	}
}

// Whatever body a stranger sends, the time per byte of checking it is bounded. In each place of each body of the
// contract is each kind of value.
func TestTimePerByteOfBodies(t *testing.T) {
	operations, err := newOperations()
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(operations, func(a, b Operation) int { return strings.Compare(a.id, b.id) })
	rounds, random := costtest.Rounds(t, 300)
	type check struct {
		operation Operation
		place     bodyPlace
		kind      int
	}
	var all []check
	for _, o := range operations {
		if o.body == nil {
			continue
		}
		schema := o.body
		places := placesOf(schema, 0)
		if o.itemsAt != "" {
			for _, inItem := range placesOf(o.items, 0) {
				places = append(places, bodyPlace{`{"` + o.itemsAt + `":[` + inItem.before, inItem.after + `]}`})
			}
		}
		for _, at := range places {
			for kind := range hostileValues {
				all = append(all, check{o, at, kind})
			}
		}
	}
	if len(all) < 5000 {
		t.Fatalf("only %d places and kinds of values", len(all))
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, one := range all[:min(rounds, len(all))] {
		value := hostileValues[one.kind]
		costtest.Growing{
			Name:  one.operation.id + " " + one.place.before + value.name + one.place.after,
			Bytes: int(min(one.operation.maxBody, 64<<10)) / 4, MaxMultiple: 30,
			Prepare: func(bytes, _ int) func() {
				size := bytes - len(one.place.before) - len(one.place.after)
				body := one.place.before + repeatedTo(size, value.before, value.unit, value.after) + one.place.after
				return func() { _, _ = checkBodyOf(t.Context(), one.operation, body) }
			},
		}.Check(t)
	}
}

// bodyPlace is where a value is in a body.
type bodyPlace struct{ before, after string }

// placesOf returns every place in the bodies of a schema.
func placesOf(schema *openapi3.Schema, depth int) []bodyPlace {
	const deepest = 8
	places := []bodyPlace{{}}
	inside := func(before, after string, ref *openapi3.SchemaRef) {
		if ref == nil || ref.Value == nil || depth == deepest {
			return
		}
		for _, at := range placesOf(ref.Value, depth+1) {
			places = append(places, bodyPlace{before + at.before, at.after + after})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		inside(`{`+strconv.Quote(name)+`:`, `}`, schema.Properties[name])
	}
	inside(`[`, `]`, schema.Items)
	inside(`{"k":`, `}`, schema.AdditionalProperties.Schema)
	for _, ref := range slices.Concat(schema.AllOf, schema.AnyOf, schema.OneOf) {
		kind := ""
		if schema.Discriminator != nil {
			for name, mapped := range schema.Discriminator.Mapping {
				if mapped.Ref == ref.Ref {
					kind = strconv.Quote(schema.Discriminator.PropertyName) + ":" + strconv.Quote(name) + ","
				}
			}
		}
		for _, at := range placesOf(ref.Value, depth) {
			if rest, isObject := strings.CutPrefix(at.before, "{"); isObject {
				at.before = "{" + kind + rest
			}
			places = append(places, at)
		}
	}
	return places
}

// hostileValues are values of any length: a beginning, a unit that is repeated, and an end.
var hostileValues = []struct{ name, before, unit, after string }{
	{"letters", `"`, "a", `"`}, {"escapes", `"`, `\u0041`, `"`}, {"accents", `"`, "\u0301", `"`},
	{"overrides", `"`, "\u202e", `"`}, {"addresses", `"`, "a@", `"`}, {"labels of a host", `"https://`, "a.", `"`},
	{"placeholders", `"`, "{{", `"`}, {"line breaks", `"`, `\n`, `"`}, {"spaces", `"`, " ", `"`},
	{"a time", `"2026-01-01T00:00:00.`, "0", `Z"`}, {"a number", "", "9", ""}, {"a fraction", "0.", "3", ""},
	{"an exponent", "1e", "0", "1"}, {"numbers", "[", "1,", "]"}, {"strings", "[", `"#",`, "]"},
	{"equal strings", "[", `"a",`, "]"},
	{"objects", "[", "{},", "]"}, {"objects with names", "[", `{"a":{"b":[]}},`, "]"}, {"lists", "[", "[],", "]"},
	{"names", "{", `"#":0,`, "}"}, {"names of objects", "{", `"#":{},`, "}"}, {"one name", "{", `"a":0,`, "}"},
	{"white space", "[", "\n ", "]"}, {"opened lists", "", "[", ""}, {"opened objects", "", `{"a":`, ""},
	{"questions", "[", `{"type":"SINGLE_CHOICE","prompt":"*","options":[{"id":"a"},{"id":"a"}],"points":0},`, "]"},
	{"rows", "[", `{"assessmentId":"asm_#","candidateEmail":"a#@example.com","candidateName":"#"},`, "]"},
}
