package contract

import (
	"strconv"
	"strings"
	"testing"

	"assay/store/storetest"
)

const (
	squareTeX  = "Solve $x^2=4$."
	squareHTML = `<p>Solve <span class="formula scroll" dir="ltr"><math aria-label="x^2=4">` +
		`<mrow><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mn>4</mn></mrow></math></span>.</p>`
)

// withFormulas returns an assessment whose texts all have a formula.
func withFormulas(text string) object {
	return object{
		"title": "Algebra", "description": text, "instructions": text, "closingMessage": text, "inviteMessage": text,
		"stages": []any{object{"title": "Equations", "description": text, "questions": []any{object{
			"type": "SINGLE_CHOICE", "prompt": text, "points": 1, "explanation": text, "correctOptionId": "a",
			"options": []any{object{"id": "a", "text": text}, object{"id": "b", "text": "None of them"}},
		}}}},
	}
}

// Formulas are MathML in the draft, for candidates, and in results. The message in the email stays as it was written.
func TestFormulasAreMathML(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		fields := object{
			"data.descriptionHtml": squareHTML, "data.instructionsHtml": squareHTML, "data.closingMessageHtml": squareHTML,
			"data.inviteMessageHtml": "<p>" + squareTeX + "</p>", "data.stages.0.descriptionHtml": squareHTML,
			"data.stages.0.questions.0.prompt": squareTeX, "data.stages.0.questions.0.promptHtml": squareHTML,
			"data.stages.0.questions.0.explanationHtml":    squareHTML,
			"data.stages.0.questions.0.options.0.textHtml": squareHTML,
		}
		draft := a.do("POST", "/v1/assessments", o.owner, withFormulas(squareTeX)).want(201)
		draft.wantFields(fields)
		location := draft.header.Get("Location")
		a.do("POST", location+"/check", o.owner, nil).want(200).wantFields(object{"data.publishable": true})
		preview := a.do("POST", location+"/preview", o.owner, nil).want(201)
		a.do("GET", "/v1/candidate/session", preview.candidate(), nil).want(200).
			wantFields(object{"data.assessment.instructionsHtml": squareHTML})
		a.do("POST", location+"/publish", o.owner, nil).want(200).wantFields(fields)
		a.do("GET", location, o.owner, nil).want(200).wantFields(fields)

		session := o.invite(draft.text("data.id"))
		who := session.candidate()
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
		stage.wantFields(object{"data.questions.0.promptHtml": squareHTML, "data.questions.0.options.0.textHtml": squareHTML})
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
		a.do("GET", "/v1/candidate-sessions/"+session.text("data.id")+"/result", o.owner, nil).want(200).
			wantFields(object{"data.stages.0.questions.0.promptHtml": squareHTML})
	})
}

// A draft with a formula that cannot be shown is saved. Publishing names the field, the place, and the reason.
func TestFaultsOfFormulasPreventPublishing(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		const detail = `contains a formula that cannot be shown, at character 8: the command \foo is unknown`
		pointers := []string{"/description", "/instructions", "/closingMessage", "/stages/0/description",
			"/stages/0/questions/0/prompt", "/stages/0/questions/0/explanation", "/stages/0/questions/0/options/0/text"}
		draft := a.do("POST", "/v1/assessments", o.owner, withFormulas(`Solve $\foo$ and $x^2^3$.`)).want(201)
		draft.wantFields(object{"data.stages.0.questions.0.promptHtml": `<p>Solve <code class="formula-fault">$\foo$</code>` +
			` and <code class="formula-fault">$x^2^3$</code>.</p>`})
		location := draft.header.Get("Location")
		checked := a.do("POST", location+"/check", o.owner, nil).want(200)
		published := a.do("POST", location+"/publish", o.owner, nil).want(422, "assessment_incomplete")
		previewed := a.do("POST", location+"/preview", o.owner, nil).want(422, "assessment_incomplete")
		for path, response := range map[string]response{
			"data.faults": checked, "errors": published, "errors.": previewed,
		} {
			path = strings.TrimSuffix(path, ".")
			if faults := response.list(path); len(faults) != len(pointers) {
				t.Fatalf("%d faults, want %d: %v", len(faults), len(pointers), faults)
			}
			for i, pointer := range pointers {
				at := path + "." + strconv.Itoa(i)
				response.wantFields(object{at + ".pointer": pointer, at + ".code": "invalid_format", at + ".detail": detail})
			}
		}
		a.do("PATCH", location, o.owner, withFormulas(squareTeX)).want(200)
		a.do("POST", location+"/publish", o.owner, nil).want(200)
		a.do("PATCH", location, o.owner, object{"instructions": `Read $\foo$.`}).want(422, "assessment_incomplete").
			wantFields(object{"errors.0.pointer": "/instructions", "errors.0.code": "invalid_format"})
		a.do("PATCH", location, o.owner, object{"instructions": "Read $y$."}).want(200)
	})
}

// An assessment that an earlier version published keeps its dollars, also after a change. A copy of it is a draft,
// which has formulas.
func TestPublishedDollarsStay(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		const html = "<p>" + squareTeX + "</p>"
		draft := a.do("POST", "/v1/assessments", o.owner, withFormulas(squareTeX)).want(201)
		id, location := draft.text("data.id"), draft.header.Get("Location")
		storetest.Change(t, a.database,
			"UPDATE assessments SET status = 'PUBLISHED', published_at = created_at WHERE id = '"+id+"'")()
		fields := object{"data.instructionsHtml": html, "data.stages.0.questions.0.promptHtml": html}
		a.do("GET", location, o.owner, nil).want(200).wantFields(fields)
		a.do("PATCH", location, o.owner, object{"instructions": `Pay $\foo$.`}).want(200).
			wantFields(object{"data.instructionsHtml": `<p>Pay $\foo$.</p>`, "data.stages.0.questions.0.promptHtml": html})
		a.do("PATCH", location, o.owner, object{"instructions": squareTeX}).want(200).wantFields(fields)

		who := o.invite(id).candidate()
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		a.do("GET", "/v1/candidate/session/stage", who, nil).want(200).
			wantFields(object{"data.questions.0.promptHtml": html})
		a.do("POST", location+"/duplicate", o.owner, nil).want(201).
			wantFields(object{"data.stages.0.questions.0.promptHtml": squareHTML})
	})
}
