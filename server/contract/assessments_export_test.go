package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// without removes ids and times, which an imported copy has of its own. Ids of options stay.
func without(value any) any {
	switch v := value.(type) {
	case map[string]any:
		delete(v, "createdAt")
		delete(v, "updatedAt")
		if id, _ := v["id"].(string); len(id) > 20 {
			delete(v, "id")
		}
		for name, member := range v {
			v[name] = without(member)
		}
	case []any:
		for i := range v {
			v[i] = without(v[i])
		}
	}
	return value
}

// An export as ASSAY_JSON is what GET returns, and imported again it is equal, except for ids and times.
func TestExportAssayJSON(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key("assessments:write")
		body := twoStages()
		body["description"], body["instructions"], body["closingMessage"] = "*D*", "I", "C"
		body["inviteMessage"], body["remindAfterHours"], body["locale"] = "M", []any{24.0, 72.0}, "de"
		body["shuffleQuestions"], body["passingScore"], body["timeLimitMinutes"] = true, 62.5, 90.0
		body["opensAt"], body["closesAt"] = "2026-11-20T10:00:00.000Z", "2036-12-20T10:00:00.000Z"
		body["repeatRule"], body["repeatAfterDays"], body["grading"] = "AFTER_DAYS", 30.0, object{"graders": 2.0}
		id := a.do("POST", "/v1/assessments", o.owner, body).want(201).text("data.id")
		original := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200)
		for path, who := range map[string]credential{"/v1/assessments/": o.owner, "/v1/public/assessments/": key} {
			exported := a.do("GET", path+id+"/export", who, nil).want(200)
			if !sameJSON(exported.at("data"), original.at("data")) {
				t.Errorf("exported\n%s\nwant\n%s", exported.body, original.body)
			}
			if got := exported.header.Get("Content-Disposition"); !strings.HasSuffix(got, `.json"`) {
				t.Errorf("Content-Disposition %s", got)
			}
			made := a.importFile(strings.TrimSuffix(path, "/")+"/import", who, "", exported.body).want(201)
			if notes := made.list("data.report.notes"); len(notes) > 0 {
				t.Errorf("notes %v", notes)
			}
			copied := a.do("GET", "/v1/assessments/"+made.text("data.assessmentId"), o.owner, nil).want(200)
			want, got := without(original.at("data")), without(copied.at("data"))
			if !sameJSON(got, want) {
				t.Errorf("imported again\n%v\nwant\n%v", got, want)
			}
		}
	})
}

// Each format that can be exported can be imported again, with the same prompts and keys.
func TestExportFormats(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := a.importFile(importPath, o.owner, "title="+"Gr%C3%BC%C3%9Fe%2F1", []byte(smallFiles["GIFT"])).want(201).
			text("data.assessmentId")
		for _, format := range enumOf(t, "ExportFormat") {
			exported := a.do("GET", "/v1/assessments/"+id+"/export?format="+format, o.owner, nil).want(200)
			name := exported.header.Get("Content-Disposition")
			if !strings.HasPrefix(name, `attachment; filename="Gr__e 1.`) ||
				!strings.Contains(name, "filename*=UTF-8''Gr%C3%BC%C3%9Fe%201.") {
				t.Errorf("%s: Content-Disposition %s", format, name)
			}
			again := a.importFile(importPath, o.owner, "dryRun=true", exported.body).want(200)
			again.wantFields(object{"data.stages.0.questions.0.prompt": "Which gas do plants take up?"})
			if got := correctText(again, "data.stages.0.questions.0"); got != "Carbon dioxide" {
				t.Errorf("%s: the correct option is %q\n%s", format, got, exported.body)
			}
		}
	})
}

// A draft keeps its pools. In an organization without questions for them, publishing says so. A question of the bank
// becomes one of the assessment alone.
func TestExportPools(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		for i := range 3 {
			o.bank(fmt.Sprint("Pool ", i, "?"), 4, "Pool")
		}
		definition := pooled("pool", 4)
		included := including(o.bank("Included?", 3))["stages"].([]any)[0].(object)["questions"].([]any)
		stage := definition["stages"].([]any)[0].(object)
		stage["questions"] = append(stage["questions"].([]any), included...)
		id := a.do("POST", "/v1/assessments", o.owner, definition).want(201).text("data.id")
		file := a.do("GET", "/v1/assessments/"+id+"/export", o.owner, nil).want(200).body

		for _, to := range []*tenant{o, other} {
			imported := a.importFile(importPath, to.owner, "", file).want(201)
			imported.wantFields(object{"data.report.questions.1.notes.0.code": "bank_reference_dropped"})
			path := "/v1/assessments/" + imported.text("data.assessmentId")
			a.do("GET", path, to.owner, nil).want(200).wantFields(object{
				"data.stages.0.pools.0.title": "Two of them", "data.stages.0.pools.0.count": 2.0,
				"data.stages.0.pools.0.points": 4.0, "data.stages.0.pools.0.tags": []any{"pool"},
				"data.stages.0.questions.1.prompt": "Included?", "data.stages.0.questions.1.bankQuestionId": nil,
			})
			if to == o {
				a.do("POST", path+"/publish", to.owner, nil).want(200).wantFields(object{"data.questionCount": 4.0})
				continue
			}
			a.do("POST", path+"/publish", to.owner, nil).want(422, "assessment_incomplete").wantFields(object{
				"errors.0.pointer": "/stages/0/pools/0/count", "errors.0.code": "too_large"})
		}
	})
}

// Other organizations, keys with other scopes, and members without the role export nothing.
func TestExportIsolation(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		id := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201).text("data.id")
		a.do("GET", "/v1/assessments/"+id+"/export", stranger.owner, nil).is(404, "not_found")
		a.do("GET", "/v1/public/assessments/"+id+"/export", stranger.key("assessments:write"), nil).is(404, "not_found")
		others := slices.DeleteFunc(slices.Clone(allScopes), func(s string) bool { return s == "assessments:write" })
		a.do("GET", "/v1/public/assessments/"+id+"/export", o.key(others...), nil).is(403, "insufficient_scope")
		a.importFile(publicImportPath, o.key(others...), "", []byte(smallFiles["GIFT"])).is(403, "insufficient_scope")
		a.importFile(importPath, o.member("MEMBER").who, "", []byte(smallFiles["GIFT"])).is(403, "insufficient_role")
		a.do("GET", "/v1/assessments/"+id+"/export", o.member("MEMBER").who, nil).want(200)
		entries := a.do("GET", "/v1/audit-log?action=ASSESSMENT_EXPORTED", o.owner, nil).want(200).list("data")
		if len(entries) != 1 {
			t.Errorf("%d entries of exports, want 1", len(entries))
		}
	})
}

// 500 questions are exported and imported again. A file with one more is imported without it.
func TestImportMany(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for count, want := range map[int]int{500: 500, 501: 500} {
			var gift strings.Builder
			for i := range count {
				fmt.Fprintf(&gift, "Question %d? {=Yes %d ~No}\n\n", i, i)
			}
			made := a.importFile(importPath, o.owner, "format=GIFT", []byte(gift.String())).want(201)
			got := a.do("GET", "/v1/assessments/"+made.text("data.assessmentId"), o.owner, nil).want(200)
			got.wantFields(object{"data.questionCount": float64(want)})
			if reported := len(made.list("data.report.questions")); reported < want {
				t.Errorf("%d of %d questions are reported", reported, count)
			}
			encoded, err := json.Marshal(made.at("data.report"))
			if err != nil || strings.Contains(string(encoded), "too_many_questions") != (count > want) {
				t.Errorf("%d: %v %s", count, err, encoded[:200])
			}
		}
	})
}
