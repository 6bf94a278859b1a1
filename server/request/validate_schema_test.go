package request

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"assay/gen"
)

// operationOf reads one operation of the contract.
func operationOf(t *testing.T, id string) Operation {
	t.Helper()
	operations, err := newOperations()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(operations, func(o Operation) bool { return o.id == id })
	if i < 0 {
		t.Fatalf("the contract has no operation %s", id)
	}
	return operations[i]
}

// checkBodyOf checks a body as the guard of the operation does.
func checkBodyOf(ctx context.Context, o Operation, body string) ([]gen.FieldError, error) {
	r := httptest.NewRequest("POST", "/", strings.NewReader(body)).WithContext(ctx)
	r.Header.Set("Content-Type", "application/json")
	c := echo.New().NewContext(r, httptest.NewRecorder())
	for _, p := range o.path {
		c.SetParamNames(p.name)
		c.SetParamValues(fmt.Sprint(p.schema.Example))
	}
	_, err := o.checkRequest(c)

	var refused *Fault
	if errors.As(err, &refused) && refused.Code == gen.ErrorCodeInvalidRequest {
		return refused.Fields, nil
	}
	return nil, err
}

// repeated returns count copies of a text, separated by commas.
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

// The cost of a rejected body is bounded, whatever it contains. If each error printed its
// schema, the body with 150,000 options would allocate 1.07 GiB. FuzzShape has more shapes.
func TestValidationCost(t *testing.T) {
	const create, bulk = "createAssessment", "bulkCreatePublicCandidateSessions"
	options, questions, rows := "/stages/0/questions/0/options", "/stages/0/questions", "/rows"

	for _, test := range []struct {
		name, operation, body string
		errors                int
		first                 string
	}{
		{"150,000 empty options", create, stageWith(choiceWith(repeated(150_000, "{}"))), 1, options + " too_many_items"},
		{"150,000 options of another type", create, stageWith(choiceWith(repeated(150_000, "0"))), 1,
			options + " too_many_items"},
		{"100,000 questions without a type", create, stageWith(repeated(100_000, "{}")), 1, questions + " too_many_items"},
		{"87,000 empty rows", bulk, `{"rows":[` + repeated(87_000, "{}") + `]}`, 1, rows + " too_many_items"},
		{"80,000 unknown fields", create, `{` + numbered(80_000, `"%d":0`) + `}`, 1, " too_many_items"},
		{"30,000 unknown fields", create, `{` + numbered(30_000, `"%d":0`) + `}`, 50, "/0 unknown_field"},
		{"15,000 labels", "createCandidateSession", `{"metadata":{` + numbered(15_000, `"%d":0`) + `}}`, 4,
			"/metadata too_many_items"},
		{"unknown fields in a question", create, stageWith(`{"type":"NUMERIC",` + numbered(30_000, `"%d":0`) + `}`), 50, ""},
		{"one long string", create, `{"title":"` + strings.Repeat("x", 1_000_000) + `"}`, 1, "/title too_long"},
		{"one long name", create, `{"title":"T","` + strings.Repeat("~", 1_000_000) + `":0}`, 1, ""},
		{"500 questions without a type", create, stageWith(repeated(500, "{}")), 50, questions + "/0/type required"},
		{"500 questions of an unknown type", create, stageWith(repeated(500, `{"type":"NONE"}`)), 50,
			questions + "/0/type invalid_value"},
		{"500 questions of 20 options", create, stageWith(repeated(500, choiceWith(repeated(20, `{"id":"","text":0}`)))), 50,
			options + "/0/id"},
		{"32 deep", create, stageWith(choiceWith(repeated(9_000, strings.Repeat("[", 26)+strings.Repeat("]", 26)))), 1,
			options},
		{"text where a list belongs", create, stageWith(`{"type":"MULTIPLE_CHOICE","options":"` +
			strings.Repeat("x", 900_000) + `"}`), 3, ""},
		{"a list where a text belongs", create, `{"title":[` + repeated(40_000, "0") + `]}`, 1, "/title invalid_type"},
		{"a list in place of an answer", "saveAnswer", `{"optionIds":[` + repeated(60_000, `"a"`) + `]}`, 1,
			"/optionIds too_many_items"},
		{"20 lists in a set", "saveAnswer", `{"optionIds":[` + repeated(20, "["+repeated(3_000, "0")+"]") + `]}`, 20,
			"/optionIds/0 invalid_type"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := operationOf(t, test.operation)
			if int64(len(test.body)) > o.maxBody {
				t.Fatalf("the body has %d bytes, which exceeds the limit of the operation", len(test.body))
			}
			var fields []gen.FieldError
			var err error
			size, count := cost(func() { fields, err = checkBodyOf(t.Context(), o, test.body) })
			if err != nil {
				t.Fatal(err)
			}
			if size > maxCheckBytes || count > maxCheckAllocations {
				t.Errorf("allocated %.1f MiB in %d allocations", float64(size)/(1<<20), count)
			}
			if len(fields) != test.errors {
				t.Fatalf("%d field errors, want %d: %.500v", len(fields), test.errors, fields)
			}
			if first := fields[0].Pointer + " " + fields[0].Code; !strings.HasPrefix(first, test.first) {
				t.Errorf("the first field error is %s, want %s", first, test.first)
			}
		})
	}
}

// Each row of a bulk request has its own outcome. The number of field errors is bounded
// for all rows together, and each invalid row has at least one.
func TestValidationCostPerRow(t *testing.T) {
	o := operationOf(t, "bulkCreatePublicCandidateSessions")
	info := &requestData{}
	ctx := context.WithValue(t.Context(), dataKey{}, info)
	body := `{"rows":[` + repeated(500, `{`+numbered(60, `"%d":0`)+`}`) + `]}`
	if fields, err := checkBodyOf(ctx, o, body); err != nil || len(fields) > 0 {
		t.Fatal(fields, err)
	}
	if len(info.wrongItems) != 500 {
		t.Fatalf("%d rows have errors, want 500", len(info.wrongItems))
	}
	for i, fields := range info.wrongItems {
		want := 1
		if i < maxItemErrors/maxFieldErrors {
			want = maxFieldErrors
		}
		if len(fields) != want {
			t.Fatalf("row %d has %d field errors, want %d", i, len(fields), want)
		}
	}
}

// disconnecting is a request context that is cancelled after a number of calls of
// Err, as if the client disconnected.
type disconnecting struct {
	context.Context
	remaining, calls atomic.Int64
}

func (d *disconnecting) Err() error {
	d.calls.Add(1)
	if d.remaining.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Validation ends soon after the client disconnects, and the operation does not run.
func TestValidationStopsAtDisconnect(t *testing.T) {
	valid := `{"type":"NUMERIC","prompt":"P","points":1}`
	row := `{"assessmentId":"asm_01kae3v5zg8r6w2c4n7q9t1x3y","candidateName":"A","candidateEmail":"a@example.com"}`
	for _, test := range []struct{ name, operation, body string }{
		{"valid", "createAssessment", stageWith(repeated(500, valid))},
		{"invalid", "createAssessment", stageWith(repeated(40, `{}`) + "," + repeated(400, valid))},
		{"rows", "bulkCreatePublicCandidateSessions", `{"rows":[` + repeated(500, row) + `]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, after := range []int64{0, 1, 20} {
				ctx := &disconnecting{Context: t.Context()}
				ctx.remaining.Store(after)
				fields, err := checkBodyOf(ctx, operationOf(t, test.operation), test.body)
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("disconnected after %d calls of Err: %v, %v", after, fields, err)
				}

				// A bulk request checks the context again for each of its 500 rows.
				if calls := ctx.calls.Load(); calls > after+600 {
					t.Errorf("disconnected after %d calls of Err: validation made %d more", after, calls-after)
				}
			}
		})
	}
}

// validate_schema.go enforces only the keywords that this test allows. The schemas of
// requests in the contract must use no others.
func TestContractKeywords(t *testing.T) {
	seen := 0
	var visit func(at string, s *openapi3.Schema)
	visit = func(at string, s *openapi3.Schema) {
		seen++
		wrong := func(text string) { t.Errorf("%s: %s is not enforced", at, text) }
		isUnion, isReference := len(s.OneOf) > 0, len(s.AllOf) > 0
		switch {
		case len(s.AnyOf) > 0, s.Not != nil:
			wrong("anyOf or not")
		case isUnion && (s.Discriminator == nil || len(s.Discriminator.Mapping) != len(s.OneOf)):
			wrong("a oneOf without a discriminator and its mapping")
		case isReference && s.Type.Is("object") && len(s.AllOf) == 1 && s.AllOf[0].Value.Type.Is("object"):
			// The form of a nullable object. Its type is that of the referenced schema.
		case (isUnion || isReference) && (s.Type != nil || s.Properties != nil || s.Required != nil || s.Enum != nil ||
			s.Pattern != "" || s.Format != ""):
			wrong("a keyword beside oneOf or allOf")
		case !isUnion && !isReference && len(s.Type.Slice()) != 1:
			wrong("a schema without one type")
		case s.Type.Is("object") || s.Type.Is("array"):
			if s.Enum != nil {
				wrong("an enum of objects or arrays")
			}
		}

		if s.UniqueItems && !s.Items.Value.Type.Is("string") {
			wrong("uniqueItems of a list of other than strings")
		}

		for _, part := range slices.Concat(s.AllOf, s.OneOf) {
			visit(at+" › "+part.Ref, part.Value)
		}
		for name, property := range s.Properties {
			visit(at+"/"+name, property.Value)
		}
		if s.Items != nil {
			visit(at+"/0", s.Items.Value)
		}
		if s.AdditionalProperties.Schema != nil {
			visit(at+"/*", s.AdditionalProperties.Schema.Value)
		}
	}

	operations, err := newOperations()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range operations {
		if o.body != nil {
			visit(o.id, o.body)
		}
		if o.items != nil {
			visit(o.id+"/"+o.itemsAt+"/0", o.items)
		}
		for _, p := range slices.Concat(o.path, o.headers) {
			visit(o.id+" "+p.name, p.schema)
		}
		for name, p := range o.query {
			visit(o.id+" ?"+name, p.schema)
		}
	}

	if seen < 300 {
		t.Fatalf("found only %d schemas", seen)
	}
}
