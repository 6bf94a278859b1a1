package contract

import (
	"strings"
	"testing"
)

// drawnText is a question of the bank with a picture in each of its texts, and a formula.
func drawnText(media, prompt string) object {
	picture := "![A store](media:" + media + ")"
	return object{"tags": []any{"drawn"}, "question": object{
		"type": "SINGLE_CHOICE", "prompt": prompt + " " + picture, "points": 1, "explanation": "Because $x^2$ " + picture,
		"correctOptionId": "a", "options": []any{
			object{"id": "a", "text": "One " + picture}, object{"id": "b", "text": "Two $y$"},
		},
	}}
}

// wantShown requires pictures and formulas in a text, which is HTML.
func (r response) wantShown(path string, pictures, formulas int) {
	r.t.Helper()
	html := r.text(path)
	if strings.Count(html, "<img") != pictures || strings.Count(html, "<math") != formulas {
		r.t.Errorf("%s: %s is %s", r.name, path, html)
	}
}

// wantShownQuestion requires the pictures and formulas of drawnText.
func (r response) wantShownQuestion(path string) {
	r.t.Helper()
	r.wantShown(path+".promptHtml", 1, 1)
	r.wantShown(path+".options.0.textHtml", 1, 0)
	r.wantShown(path+".options.1.textHtml", 0, 1)
}

// The bank shows the pictures and formulas of its questions, and so does everything in which the questions are: the
// draft that includes one, the pool that draws it, its preview, the candidate's page, and the result.
func TestQuestionTexts(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		media := a.putPicture(o.owner, pngImage(t, 30, 20)).want(201).text("data.id")
		body := drawnText(media, "Which $x^2$?")
		created := a.from("192.0.2.1", "POST", "/v1/questions", o.owner, body, "Idempotency-Key", "k").want(201)
		again := b.from("192.0.2.1", "POST", "/v1/questions", o.owner, body, "Idempotency-Key", "k").want(201)
		at := "/v1/questions/" + created.text("data.id")
		body = drawnText(media, "Which one, $x^2$?")
		changed := b.do("PATCH", at, o.owner, object{"question": body["question"]}).want(200)
		for _, r := range []response{created, again, changed, a.do("GET", at, o.owner, nil).want(200)} {
			r.wantShownQuestion("data.question")
			r.wantShown("data.question.explanationHtml", 1, 1)
		}
		versions := a.do("GET", at+"/versions", o.owner, nil).want(200)
		versions.wantShownQuestion("data.0.question")
		versions.wantShownQuestion("data.1.question")
		b.do("DELETE", "/v1/media/"+media, o.owner, nil).want(409, "media_in_use")

		draft := a.do("POST", "/v1/assessments", o.owner, pooled("drawn", 1)).want(201)
		pool := "/v1/assessments/" + draft.text("data.id")
		a.do("POST", "/v1/questions", o.owner, drawnText(media, "Which other, $z$?")).want(201)
		tested := a.do("POST", pool+"/preview", o.owner, nil).want(201).candidate()
		a.do("GET", "/v1/media/"+media, o.owner, nil).want(200).wantFields(object{"data.used": 0.0})
		published := a.do("POST", pool+"/publish", o.owner, nil).want(200)
		published.wantShownQuestion("data.stages.0.questions.1")
		b.do("GET", "/v1/media/"+media, o.owner, nil).want(200).wantFields(object{
			"data.used": 1.0, "data.usedIn": []any{draft.text("data.id")}})

		session := o.invite(draft.text("data.id"))
		for _, who := range []credential{tested, session.candidate()} {
			a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
			stage := b.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
			stage.wantShownQuestion("data.questions.1")
			a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
		}
		result := "/v1/candidate-sessions/" + session.text("data.id") + "/result"
		shown := b.do("GET", result, o.owner, nil).want(200)
		shown.wantShown("data.stages.0.questions.1.promptHtml", 1, 1)
		question := shown.text("data.stages.0.questions.1.id")
		a.do("PUT", strings.TrimSuffix(result, "result")+"grades/"+question, o.owner,
			object{"points": 1, "reason": "The picture is wrong", "version": 0}).want(200)
		b.do("GET", result, o.owner, nil).want(200).wantShown("data.stages.0.questions.1.promptHtml", 1, 1)
	})
}

// Publishing refuses a question of a pool whose texts cannot be shown, and names the pool.
func TestQuestionTextsPreventPublishing(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		theirs := a.putPicture(other.owner, pngImage(t, 5, 5)).want(201).text("data.id")
		mine := a.putPicture(o.owner, pngImage(t, 6, 6)).want(201).text("data.id")
		for tag, prompt := range map[string]string{
			"unknown": "![Theirs](media:" + theirs + ")", "blank": "![](media:" + mine + ")", "broken": `Solve $\foo$.`,
		} {
			bad := o.bank(prompt, 1, tag)
			o.bank("Fine?", 1, tag)
			shown := a.do("GET", "/v1/questions/"+bad, o.owner, nil).want(200).text("data.question.promptHtml")
			if strings.Contains(shown, "<img") != (tag == "blank") || strings.Contains(shown, "<math") {
				t.Errorf("%s is shown as %s", prompt, shown)
			}
			draft := "/v1/assessments/" + a.do("POST", "/v1/assessments", o.owner, pooled(tag, 1)).want(201).text("data.id")
			for _, verb := range []string{"/publish", "/preview"} {
				refused := a.do("POST", draft+verb, o.owner, nil).want(422, "assessment_incomplete")
				if at := refused.text("errors.0.pointer"); !strings.HasPrefix(at, "/stages/0/pools/0") {
					t.Errorf("%s: the fault is at %s", tag, at)
				}
			}
			a.do("POST", draft+"/check", o.owner, nil).want(200).wantFields(object{"data.publishable": false})
			a.do("PATCH", "/v1/questions/"+bad, o.owner, object{"question": bankQuestion("Fixed?", 1)["question"]}).want(200)
			a.do("POST", draft+"/publish", o.owner, nil).want(200)
		}
	})
}
