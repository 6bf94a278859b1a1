package contract

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay/store/storetest"
)

// outsideLine are characters that a name or a title must not contain.
var outsideLine = []string{
	"\u0001", "\t", "\n", "\r", "\u001f", "\u007f", "\u0080", "\u0085", "\u009f",
	"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069",
}

// The server rejects control characters in every name and title, and accepts the letters
// and marks of all scripts there.
func TestEveryNameIsOneLine(t *testing.T) {
	everyBody(t, func(t *testing.T, c *cast, o described) {
		for _, name := range slices.Sorted(maps.Keys(o.body.Properties)) {
			if marked, _ := o.body.Properties[name].Value.Extensions["x-single-line"].(bool); !marked {
				continue
			}
			send := func(text string) response {
				t.Helper()
				body := o.minimal(t)
				body[name] = text
				encoded, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				return c.send(o, name, string(encoded))
			}
			for _, character := range outsideLine {
				send("A" + character + "B").blames("body /" + name + " invalid_value")
			}
			for _, text := range []string{"\u200eشركة\u200f", "\u061c٣", "O’Neill, Ph.D.", "👩\u200d🔬", "می\u200cخواهم"} {
				send(text).isNotInvalid()
			}
		}
	})
}

// invisible are texts in which nobody can see a character.
var invisible = []string{" ", "\u00a0", "\u200b", "\u3000", "\u2800", "\u3164", "\u115f\u1160\uffa0", "\ufeff",
	"\u00ad", "\u200d\ufe0f", "\u2060 \u180e"}

// notBlank is the pattern of texts that people must see.
const notBlank = `\S`

// A text that must not be blank needs a character that people see, in every field of the
// contract, and is refused with the field's name.
func TestInvisibleTextsAreBlank(t *testing.T) {
	fields := 0
	for _, o := range everyOperation(t) {
		if o.body != nil {
			for _, property := range o.body.Properties {
				if property.Value.Pattern == notBlank {
					fields++
				}
			}
		}
	}
	if fields < 10 {
		t.Errorf("only %d fields must not be blank", fields)
	}
	everyBody(t, func(t *testing.T, c *cast, o described) {
		for _, name := range slices.Sorted(maps.Keys(o.body.Properties)) {
			schema := o.body.Properties[name].Value
			if schema.Pattern != notBlank {
				continue
			}
			body := o.minimal(t)
			for _, text := range append(invisible, "\u200bx") {
				body[name] = text
				encoded, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				if sent := c.send(o, name, string(encoded)); strings.HasSuffix(text, "x") {
					sent.isNotInvalid()
				} else {
					sent.blames("body /" + name + " invalid_format")
				}
			}
		}
	})
}

// Titles of stages and names in the rows of a bulk request follow the same rule. Longer
// texts can have several lines.
func TestNamesInListsAreOneLine(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		draft := func(stageTitle string) object {
			const lines = "One\n\ttwo\r\nthree"
			return object{"title": "T", "description": lines, "instructions": lines, "closingMessage": lines,
				"stages": []object{{
					"title": stageTitle, "description": lines, "questions": []object{{
						"type": "SHORT_TEXT", "prompt": lines, "points": 1, "explanation": lines, "acceptedAnswers": []string{lines},
					}},
				}}}
		}
		a.do("POST", "/v1/assessments", o.owner, draft("S\u202e")).blames("body /stages/0/title invalid_value")
		a.do("POST", "/v1/assessments", o.owner, draft("S")).want(201)

		row := object{"assessmentId": "asm_x", "candidateName": "A\nB", "candidateEmail": "a@example.com",
			"externalId": "\u0085"}
		rows := a.do("POST", "/v1/candidate-sessions/bulk", o.owner, object{"rows": []object{row}}).want(200)
		for _, field := range []string{"candidateName", "externalId"} {
			if !strings.Contains(string(rows.body), `"pointer":"/rows/0/`+field+`"`) {
				t.Errorf("no error of %s in %s", field, rows.body)
			}
		}
	})
}

// Names that an earlier version has stored can still be read.
func TestStoredNamesAreReadable(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(twoStages())
		session := o.invite(assessmentID)
		for _, table := range []string{"candidate_sessions SET candidate_name", "assessments SET title",
			"organizations SET name"} {
			storetest.Change(t, a.database, "UPDATE "+table+" = 'A\tB\nC'")()
		}
		for path, field := range map[string]string{
			"/v1/candidate-sessions/" + session.text("data.id"): "data.candidateName",
			"/v1/assessments/" + assessmentID:                   "data.title", "/v1/organization": "data.name",
		} {
			if got := a.do("GET", path, o.owner, nil).want(200).text(field); got != "A\tB\nC" {
				t.Errorf("%s: %s is %q", path, field, got)
			}
		}
	})
}
