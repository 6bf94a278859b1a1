package contract

import "testing"

// formatted returns an assessment whose texts are Markdown.
func formatted() object {
	definition := twoStages()
	definition["description"], definition["instructions"] = "*d*", "<script>i</script>"
	definition["closingMessage"] = "[c](https://x.example)"
	stage := definition["stages"].([]any)[0].(object)
	stage["description"] = "| s |\n|--:|\n| 1 |"
	question := stage["questions"].([]any)[0].(object)
	question["prompt"], question["explanation"] = "`p`", "**e**"
	question["options"].([]any)[0].(object)["text"] = "![o](https://x.example/o.png)"
	return definition
}

// Each Markdown text is returned with its HTML, wherever a candidate or a reviewer reads it.
func TestTextsAsHTML(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		const link = `<p><a href="https://x.example" rel="noopener noreferrer nofollow" target="_blank">c</a></p>`
		table := "<table>\n<thead>\n<tr>\n<th align=\"right\">s</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n" +
			"<td align=\"right\">1</td>\n</tr>\n</tbody>\n</table>"
		intro := object{"descriptionHtml": "<p><em>d</em></p>", "instructionsHtml": "<p>&lt;script&gt;i&lt;/script&gt;</p>",
			"closingMessageHtml": link}
		question := object{"promptHtml": "<p><code>p</code></p>", "options.0.textHtml": "<p>o</p>"}

		created := a.do("POST", "/v1/assessments", o.owner, formatted()).want(201)
		path := created.header.Get("Location")
		published := a.do("POST", path+"/publish", o.owner, nil).want(200)
		for _, detail := range []response{
			created, published, a.do("GET", path, o.owner, nil).want(200),
			a.do("GET", "/v1/public/assessments/"+created.text("data.id"), o.key(), nil).want(200),
		} {
			detail.wantFields(under("data.", intro)).wantFields(under("data.stages.0.questions.0.", question))
			detail.wantFields(object{"data.stages.0.descriptionHtml": table, "data.stages.1.descriptionHtml": nil})
		}
		created.wantFields(object{"data.stages.0.questions.0.explanationHtml": "<p><strong>e</strong></p>",
			"data.stages.0.questions.1.explanationHtml": nil})

		session := o.invite(created.text("data.id"))
		who := session.candidate()
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200).wantFields(under("data.assessment.", intro))
		a.do("GET", "/v1/candidate/session/stage", who, nil).want(200).
			wantFields(under("data.questions.0.", question)).wantFields(object{"data.descriptionHtml": table})
		a.submitWrong(who)
		for _, result := range []response{
			a.do("GET", "/v1/candidate-sessions/"+session.text("data.id")+"/result", o.owner, nil).want(200),
			a.do("GET", "/v1/public/candidate-sessions/"+session.text("data.id")+"/result", o.key(), nil).want(200),
		} {
			result.wantFields(object{"data.stages.0.questions.0.promptHtml": "<p><code>p</code></p>",
				"data.stages.0.questions.1.promptHtml": "<p>Which must be kept cold?</p>"})
		}
	})
}
