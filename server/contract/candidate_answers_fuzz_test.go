package contract

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// FuzzAnswer saves an answer with any body. The server either rejects the body and
// changes nothing, or saves it and returns it unchanged. An unknown question id is
// always rejected.
func FuzzAnswer(f *testing.F) {
	a := fuzzServer(f)
	o := a.register()
	definition := twoStages()
	stages := definition["stages"].([]any)
	first, second := stages[0].(object), stages[1].(object)
	first["questions"] = append(first["questions"].([]any), second["questions"].([]any)...)
	definition["stages"] = []any{first}
	who := o.invite(o.publish(definition)).candidate()
	a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	var questions []string
	stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
	for i := range stage.list("data.questions") {
		questions = append(questions, stage.text("data.questions."+strconv.Itoa(i)+".id"))
	}
	saved := make([]any, len(questions))

	for i, bodies := range [][]string{
		{`{"optionId":"a"}`, `{"optionId":"z"}`, `{"optionId":null}`, `{"optionId":"a","optionId":"b"}`},
		{`{"optionIds":["y","x"]}`, `{"optionIds":[]}`, `{"optionIds":["x","x"]}`, `{"optionIds":null}`},
		{`{"number":-1e15}`, `{"number":1.7976931348623157e308}`, `{"number":5e-324}`, `{"number":"1"}`, `{"number":-0}`},
		{`{"text":""}`, `{"text":"\u0000"}`, `{"text":"é😀\u2028<&>\ufffd"}`, `{"text":"a","number":1}`, `[]`, ``, `{}`,
			`null`},
	} {
		for _, body := range bodies {
			f.Add(uint8(i), "", []byte(body))
		}
	}
	f.Add(uint8(0), "qst_00000000000000000000000000", []byte(`{"text":"a"}`))
	f.Add(uint8(0), "..", []byte(`{}`))

	f.Fuzz(func(t *testing.T, which uint8, other string, body []byte) {
		a, i := a.withTest(t), int(which)%len(questions)
		question := questions[i]
		if other != "" {
			// The check of responses cannot route a path with an encoded slash.
			question = url.PathEscape(strings.ReplaceAll(other, "/", ""))
		}
		answer, handled := a.callDirect("PUT", "/v1/candidate/session/answers/"+question, who, append([]byte{}, body...))
		if !handled {
			return
		}
		switch {
		case answer.status == 200 && other == "":
			if err := json.Unmarshal(body, &saved[i]); err != nil {
				t.Fatalf("%s was saved, but is not JSON: %v", body, err)
			}
		case answer.status < 400 && other != questions[i]:
			t.Fatalf("%s: an unknown question was accepted: %d %s", answer.name, answer.status, answer.body)
		}

		read := a.callJSON("GET", "/v1/candidate/session/stage", who, nil).want(200)
		for j := range questions {
			if got := read.at("data.questions." + strconv.Itoa(j) + ".answer"); !reflect.DeepEqual(got, saved[j]) {
				t.Fatalf("after %q to question %d, question %d has the answer %#v, want %#v", body, i, j, got, saved[j])
			}
		}
	})
}
