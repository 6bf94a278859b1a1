package contract

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"assay/store"
)

const (
	importPath       = "/v1/assessments/import"
	publicImportPath = "/v1/public/assessments/import"
)

// importFile sends a file. The query has its parameters without the question mark.
func (a *api) importFile(path string, who credential, query string, content []byte, keys ...string) response {
	a.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), "POST", a.url+path+"?"+query, bytes.NewReader(content))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Header.Set(who.header, who.value)
	for _, key := range keys {
		r.Header.Set("Idempotency-Key", key)
	}
	return a.send(r)
}

func (o *tenant) assessmentIDs() []string {
	o.api.t.Helper()
	ids, _ := o.api.pages("/v1/assessments?limit=100", o.owner, "id")
	return ids
}

// smallFiles has a file of each format with one question, whose answer is Carbon dioxide or 4.
var smallFiles = map[string]string{
	"TEXT":  "1. Which gas do plants take up?\nA) Oxygen\nB) Carbon dioxide\nAnswer: B\n",
	"CSV":   "Question,A,B,Correct\nWhich gas do plants take up?,Oxygen,Carbon dioxide,B\n",
	"GIFT":  "Which gas do plants take up? {=Carbon dioxide ~Oxygen}\n",
	"AIKEN": "Which gas do plants take up?\nA. Oxygen\nB. Carbon dioxide\nANSWER: B\n",
	"ASSAY_JSON": `{"data": {"title": "Gases", "stages": [{"title": "Air", "questions": [{"type": "SINGLE_CHOICE",
		"prompt": "Which gas do plants take up?", "points": 1, "options": [{"id": "a", "text": "Oxygen"},
		{"id": "b", "text": "Carbon dioxide"}], "correctOptionId": "b"}]}]}}`,
}

// A dry run returns the draft and stores nothing. An import stores the same draft, for a person and for a key.
func TestImport(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key("assessments:write")
		for format, file := range smallFiles {
			before := len(o.assessmentIDs())
			for _, query := range []string{"dryRun=true&format=" + format, "dryRun=true"} {
				preview := a.importFile(importPath, o.owner, query, []byte(file)).want(200)
				preview.wantFields(object{"data.assessmentId": nil, "data.report.format": format,
					"data.stages.0.questions.0.prompt": "Which gas do plants take up?", "data.stages.0.questions.0.id": "",
					"data.report.questions.0.stageOrder": 1.0, "data.report.questions.0.questionOrder": 1.0})
				if got := correctText(preview, "data.stages.0.questions.0"); got != "Carbon dioxide" {
					t.Errorf("%s: the correct option is %q\n%s", format, got, preview.body)
				}
			}
			a.importFile(publicImportPath, key, "dryRun=true&format="+format, []byte(file)).want(200)
			if now := len(o.assessmentIDs()); now != before {
				t.Errorf("%s: dry runs stored %d assessments", format, now-before)
			}

			made := a.importFile(importPath, o.owner, "title=Plants&format="+format, []byte(file)).want(201)
			id := made.text("data.assessmentId")
			stored := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200)
			stored.wantFields(object{"data.title": "Plants", "data.status": "DRAFT"})
			isSame := sameJSON(stored.at("data.stages"), made.at("data.stages"))
			if made.header.Get("Location") != "/v1/assessments/"+id || !isSame {
				t.Errorf("%s: Location %q\n%s\n%s", format, made.header.Get("Location"), made.body, stored.body)
			}
			byKey := a.importFile(publicImportPath, key, "format="+format, []byte(file)).want(201)
			a.do("POST", "/v1/assessments/"+byKey.text("data.assessmentId")+"/publish", o.owner, nil).want(200)
			a.do("GET", byKey.header.Get("Location"), o.key("assessments:read"), nil).want(200)
		}
	})
}

// correctText returns the text of the option that a SINGLE_CHOICE question names as correct.
func correctText(r response, at string) string {
	for i := range r.list(at + ".options") {
		option := fmt.Sprintf("%s.options.%d", at, i)
		if r.text(option+".id") == r.text(at+".correctOptionId") {
			return r.text(option + ".text")
		}
	}
	return ""
}

func sameJSON(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// The title is that of the request, of the file, or the name of the file, in one line.
func TestImportTitle(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		gift, own := []byte(smallFiles["GIFT"]), []byte(smallFiles["ASSAY_JSON"])
		for query, want := range map[string]string{
			"format=GIFT":                      "",
			"format=GIFT&fileName=plants.gift": "plants",
			"format=GIFT&fileName=" + url.QueryEscape(`C:\quizzes\air.v2.txt`): "air.v2",
			"format=GIFT&fileName=.gift":                                       "",
			"format=GIFT&fileName=" + url.QueryEscape("a\u200b \u00a0 b.gift"): "a b",
			"format=ASSAY_JSON&fileName=x.json":                                "Gases",
			"format=ASSAY_JSON&title=Mine":                                     "Mine",
		} {
			file := gift
			if strings.Contains(query, "ASSAY") {
				file = own
			}
			if got := a.importFile(importPath, o.owner, "dryRun=true&"+query, file).want(200).text("data.title"); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
		untitled := a.importFile(importPath, o.owner, "format=GIFT", gift).want(201)
		untitled.wantFields(object{"data.title": "Imported questions"})
	})
}

// A file that cannot be read, an empty one, and wrong parameters are refused, and nothing is stored.
func TestImportRefusals(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		for path, who := range map[string]credential{importPath: o.owner, publicImportPath: o.key("assessments:write")} {
			for _, row := range []struct {
				query, file string
				status      int
				code        string
			}{
				{"", "PK\x03\x04\x14\x00\x00\x00 no archive", 422, "file_not_readable"},
				{"dryRun=true", "\x00\x01\x02\x03", 422, "file_not_readable"},
				{"format=XLSX", "PK\x03\x04 no archive", 422, "file_not_readable"},
				{"format=GIFT", "// only a comment\n", 422, "nothing_to_import"},
				{"format=TEXT", "Hello", 422, "nothing_to_import"},
				{"language=xx-nothing-real-zzzzzzzzzz", "Hello", 400, "invalid_request"},
				{"language=de-", "Hello", 400, "invalid_request"},
				{"columns=QUESTION,NOTHING", "Hello", 400, "invalid_request"},
				{"format=DOCX", "Hello", 400, "invalid_request"},
				{"title=%20", "Hello", 400, "invalid_request"},
				{"title=a%0Ab", "Hello", 400, "invalid_request"},
				{"fileName=", "Hello", 400, "invalid_request"},
				{"", "", 400, "invalid_request"},
				{"", strings.Repeat("x", 10<<20+1), 413, "payload_too_large"},
			} {
				a.importFile(path, who, row.query, []byte(row.file)).is(row.status, row.code)
			}
			a.do("POST", path, who, "{}").is(415, "unsupported_media_type")
			empty := a.importFile(path, who, "dryRun=true&format=TEXT", []byte("Hello")).want(200)
			empty.wantFields(object{"data.stages": []any{}})
		}
		if made := o.assessmentIDs(); len(made) != 0 {
			t.Errorf("stored %v", made)
		}
	})
}

// The same file with the same query and key is imported once. The key belongs to both.
func TestImportIdempotency(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		gift := []byte(smallFiles["GIFT"])
		for path, who := range map[string]credential{importPath: o.owner, publicImportPath: o.key("assessments:write")} {
			first := a.importFile(path, who, "format=GIFT&title=One", gift, "k").want(201).done()
			a.importFile(path, who, "title=One&format=GIFT", gift, "k").replays(first)
			a.importFile(path, who, "format=GIFT&title=Two", gift, "k").isRefused(422, "idempotency_key_reused")
			a.importFile(path, who, "format=GIFT&title=One", append(gift, '\n'), "k").isRefused(422, "idempotency_key_reused")
			a.importFile(path, who, "format=GIFT&title=One", gift, "other").want(201).done()
		}
		if made := o.assessmentIDs(); len(made) != 4 {
			t.Errorf("stored %d assessments, want 4", len(made))
		}
	})
}

// The quotas of assessments, their size, and pictures bound imports.
func TestImportQuotas(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for path, who := range map[string]credential{importPath: o.owner, publicImportPath: o.key("assessments:write")} {
			long := `{"title": "x", "stages": [{"title": "x", "questions": [{"type": "FREE_TEXT", "points": 1, "prompt": "` +
				strings.Repeat("x", 9000) + `"}]}]}`
			a.importFile(path, who, "", []byte(long)).is(409, "definition_quota_exceeded")
		}
		a.importFile(importPath, o.owner, "", []byte(smallFiles["GIFT"])).want(201)
		for path, who := range map[string]credential{importPath: o.owner, publicImportPath: o.key("assessments:write")} {
			a.importFile(path, who, "", []byte(smallFiles["GIFT"])).is(409, "assessment_quota_exceeded")
			a.importFile(path, who, "dryRun=true", []byte(smallFiles["GIFT"])).want(200)
		}
	}, func(opts *store.Options) { opts.Quotas.Assessments, opts.Quotas.DefinitionBytes = 1, 8000 })
}
